// A linear classifier. It never sees LibTorch: it asks the host for ATen's operators by name (levin.ops/1), and autograd works
// through them, so one library runs on every LibTorch.
include!(env!("LEVIN_RS"));

levin_note!("com.example.my_plugin", "1.0.0");

// A reference to a tensor of the host.
struct Tensor {
    host: *const levin_host,
    raw: *mut levin_tensor,
}
impl Drop for Tensor {
    fn drop(&mut self) {
        unsafe { (*self.host).tensor_release.map(|release| release(self.host, self.raw)) };
    }
}

fn tensor(t: *mut levin_tensor) -> levin_value {
    let mut value = levin_value { type_: LEVIN_T_TENSOR, ..Default::default() };
    value.v.t = t;
    value
}
fn integer(i: i64) -> levin_value {
    let mut value = levin_value { type_: LEVIN_T_INT, ..Default::default() };
    value.v.i = i;
    value
}

struct MyPlugin {
    host: *const levin_host,
    ops: &'static levin_ops,
    trainer: &'static levin_trainer,
    weight: Tensor,
    bias: Tensor,
    input: usize, // their places among the fields of a batch
    target: usize,
    lr: f64,
}

unsafe fn parameter(host: *const levin_host, ops: &levin_ops, shape: &mut [i64]) -> Result<Tensor, String> {
    let mut zeros = vec![0f32; shape.iter().product::<i64>() as usize];
    let view = levin_view {
        data: zeros.as_mut_ptr() as *mut c_void,
        device: levin_device { type_: LEVIN_CPU as i32, id: 0 },
        ndim: shape.len() as i32,
        dtype: levin_dtype { code: LEVIN_FLOAT as u8, bits: 32, lanes: 1 },
        shape: shape.as_mut_ptr(),
        ..Default::default()
    };
    let mut raw = std::ptr::null_mut();
    levin_ok(host, ops.parameter.unwrap()(host, &view, &mut raw))?;
    Ok(Tensor { host, raw })
}

impl MyPlugin {
    unsafe fn new(host: *const levin_host, given: &levin_create) -> Result<MyPlugin, String> {
        let (ops, trainer) = (levin_service(host, c!("levin.ops/1"))?, levin_service(host, c!("levin.trainer/1"))?);
        let data = given.data.as_ref().ok_or("needs data")?;
        let fields = levin_fields(data);
        let place = |role| fields.iter().position(|f| f.role == role).ok_or("needs data with an input and a target");
        let (input, target) = (place(LEVIN_ROLE_INPUT)?, place(LEVIN_ROLE_TARGET)?);
        let inputs: i64 = fields[input].shape[..fields[input].ndim as usize].iter().product();
        let classes = fields[target].classes;
        if classes < 2 {
            return Err("needs a target with classes".to_string());
        }
        Ok(MyPlugin {
            host,
            ops,
            trainer,
            weight: parameter(host, ops, &mut [classes, inputs])?,
            bias: parameter(host, ops, &mut [classes])?,
            input,
            target,
            lr: (*(*given.args).values).v.f, // in the order of the options
        })
    }

    unsafe fn call(&self, name: *const c_char, overload: *const c_char, given: &[levin_value]) -> Result<Tensor, String> {
        let (mut op, mut raw) = (std::ptr::null_mut(), std::ptr::null_mut());
        levin_ok(self.host, self.ops.find.unwrap()(self.host, name, overload, &mut op))?;
        let status = self.ops.call.unwrap()(self.host, op, given.as_ptr(), given.len() as u32, &mut raw, 1);
        levin_ok(self.host, status)?;
        Ok(Tensor { host: self.host, raw })
    }

    unsafe fn forward(&self, x: *mut levin_tensor) -> Result<Tensor, String> {
        let rows = self.call(c!("flatten"), c!("using_ints"), &[tensor(x), integer(1)])?;
        self.call(c!("linear"), c!(""), &[tensor(rows.raw), tensor(self.weight.raw), tensor(self.bias.raw)])
    }

    unsafe fn step(&self, given: &levin_step_in, out: *const levin_step_out) -> Result<levin_status, String> {
        let batch = (*given.batch).tensors;
        let put = (*out).put.unwrap();
        let y = self.forward(*batch.add(self.input))?;
        if given.stage == LEVIN_STAGE_PREDICT {
            return Ok(put(out, c!("prediction"), y.raw));
        }
        let loss = self.call(c!("cross_entropy_loss"), c!(""), &[tensor(y.raw), tensor(*batch.add(self.target))])?;
        let name = match given.stage {
            LEVIN_STAGE_FIT => c!("train_loss"),
            LEVIN_STAGE_TEST => c!("test_loss"),
            _ => c!("val_loss"),
        };
        let log = levin_log { tensor: loss.raw, prog_bar: 1, ..levin_log_of(name, 0.0) };
        levin_ok(self.host, self.trainer.log.unwrap()(given.run, &log))?;
        Ok(put(out, c!("loss"), loss.raw))
    }
}

unsafe fn own<'a>(me: *mut c_void) -> &'a MyPlugin {
    &*(me as *const MyPlugin)
}

unsafe extern "C" fn step(me: *mut c_void, given: *const levin_step_in, out: *const levin_step_out) -> levin_status {
    levin_call(own(me).host, || own(me).step(&*given, out))
}

unsafe extern "C" fn visit(me: *mut c_void, visitor: *const levin_visitor) -> levin_status {
    for (name, parameter) in [(c!("weight"), &own(me).weight), (c!("bias"), &own(me).bias)] {
        let status = (*visitor).tensor.unwrap()(visitor, name, parameter.raw, LEVIN_PARAMETER);
        if status < 0 {
            return status;
        }
    }
    LEVIN_OK as levin_status
}

unsafe extern "C" fn mode(_me: *mut c_void, _training: u32) -> levin_status {
    LEVIN_OK as levin_status // training and evaluation are the same here
}

unsafe extern "C" fn to_device(me: *mut c_void, device: levin_device, dtype: levin_dtype) -> levin_status {
    if device.type_ == LEVIN_CPU as i32 && dtype.code == LEVIN_FLOAT as u8 && dtype.bits == 32 {
        return LEVIN_OK as levin_status;
    }
    levin_fail(own(me).host, LEVIN_E_UNSUPPORTED, "my_plugin computes in float32 on the CPU only")
}

unsafe extern "C" fn configure_optimizers(me: *mut c_void, plan: *const levin_optim_plan) -> levin_status {
    let options = format!("{{\"lr\": {}}}\0", own(me).lr);
    let adam = levin_optimizer_desc {
        size: std::mem::size_of::<levin_optimizer_desc>() as u32,
        name: c!("adam"),
        options_json: options.as_ptr() as *const c_char,
        ..Default::default()
    };
    (*plan).add_optimizer.unwrap()(plan, &adam, &mut 0)
}

unsafe extern "C" fn create(
    host: *const levin_host, given: *const levin_create, me: *mut *mut c_void, out: *mut *const levin_object,
) -> levin_status {
    levin_call(host, || {
        let made = MyPlugin::new(host, &*given)?;
        let size = std::mem::size_of::<levin_model>() as u32;
        let table = levin_model {
            o: levin_object { size, destroy: Some(levin_destroy::<MyPlugin>), ..Default::default() },
            visit: Some(visit),
            mode: Some(mode),
            move_: Some(to_device),
            step: Some(step),
            configure_optimizers: Some(configure_optimizers),
            ..Default::default()
        };
        levin_give(made, table, me, out)
    })
}

#[no_mangle]
pub extern "C" fn levin_plugin_v0(_host: *const levin_host) -> *const levin_plugin {
    let options = Box::leak(Box::new([levin_option {
        name: c!("lr"),
        type_: LEVIN_T_FLOAT,
        flags: LEVIN_OPT_TUNABLE,
        deflt: c!("0.01"),
        help: c!("learning rate of Adam"),
        max: 10.0,
        ..Default::default()
    }]));
    let component = levin_component {
        size: std::mem::size_of::<levin_component>() as u32,
        kind: LEVIN_KIND_MODEL,
        id: c!("my_plugin"),
        version: c!("1.0.0"),
        summary: c!("A linear classifier"),
        options: options.as_ptr(),
        n_options: options.len() as u32,
        option_size: std::mem::size_of::<levin_option>() as u32,
        create: Some(create),
        ..Default::default()
    };
    levin_describe(c!("com.example.my_plugin"), c!("1.0.0"), component)
}
