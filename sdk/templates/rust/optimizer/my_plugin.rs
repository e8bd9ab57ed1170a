// Gradient descent with momentum. It never sees LibTorch: it asks the host for ATen's operators by name (levin.ops/1), so one
// library runs on every LibTorch. A model uses it as plan.optimizer("my_plugin", {{"lr", 0.1}}), and a classifier or regressor as
// --model.optimizer my_plugin.
include!(env!("LEVIN_RS"));
use std::ffi::{CStr, CString};

levin_note!("com.example.my_plugin", "1.0.0");

const NUMBERS: [&str; 2] = ["lr", "momentum"]; // in the order of the options

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

struct Param {
    tensor: Tensor,
    velocity: Tensor,
    state_name: CString, // "fc.weight.velocity"
}

struct Group {
    numbers: [f64; 2],
    params: Vec<Param>,
}

struct MyPlugin {
    host: *const levin_host,
    ops: &'static levin_ops,
    groups: Vec<Group>,
}

fn tensor(t: &Tensor) -> levin_value {
    let mut value = levin_value { type_: LEVIN_T_TENSOR, ..Default::default() };
    value.v.t = t.raw;
    value
}
fn number(f: f64) -> levin_value {
    let mut value = levin_value { type_: LEVIN_T_FLOAT, ..Default::default() };
    value.v.f = f;
    value
}

impl MyPlugin {
    unsafe fn call(&self, name: *const c_char, overload: *const c_char, given: &[levin_value]) -> Result<Tensor, String> {
        let (mut op, mut raw) = (std::ptr::null_mut(), std::ptr::null_mut());
        levin_ok(self.host, self.ops.find.unwrap()(self.host, name, overload, &mut op))?;
        let status = self.ops.call.unwrap()(self.host, op, given.as_ptr(), given.len() as u32, &mut raw, 1);
        levin_ok(self.host, status)?;
        Ok(Tensor { host: self.host, raw })
    }

    // The state of a parameter is made when the parameter is added, so that a resumed run finds it.
    unsafe fn param(&self, raw: *mut levin_tensor, name: *const c_char) -> Result<Param, String> {
        (*self.host).tensor_retain.unwrap()(self.host, raw);
        let kept = Tensor { host: self.host, raw };
        let velocity = self.call(c!("zeros_like"), c!(""), &[tensor(&kept)])?;
        let name = format!("{}.velocity", CStr::from_ptr(name).to_string_lossy());
        Ok(Param { tensor: kept, velocity, state_name: CString::new(name).map_err(|e| e.to_string())? })
    }

    unsafe fn step(&self) -> Result<levin_status, String> {
        for group in &self.groups {
            let [lr, momentum] = group.numbers;
            for param in &group.params {
                let mut raw = std::ptr::null_mut();
                let status = self.ops.grad.unwrap()(self.host, param.tensor.raw, &mut raw);
                if status == LEVIN_E_NOT_FOUND {
                    continue; // the step gave this parameter no gradient
                }
                levin_ok(self.host, status)?;
                let grad = Tensor { host: self.host, raw };
                self.call(c!("mul_"), c!("Scalar"), &[tensor(&param.velocity), number(momentum)])?;
                self.call(c!("add_"), c!("Tensor"), &[tensor(&param.velocity), tensor(&grad)])?;
                self.call(c!("sub_"), c!("Tensor"), &[tensor(&param.tensor), tensor(&param.velocity), number(lr)])?;
            }
        }
        Ok(LEVIN_OK as levin_status)
    }

    unsafe fn number(&mut self, group: u32, option: *const c_char) -> Result<&mut f64, String> {
        let name = CStr::from_ptr(option).to_bytes();
        let i = NUMBERS.iter().position(|known| known.as_bytes() == name).ok_or("there is no such number")?;
        Ok(&mut self.groups.get_mut(group as usize).ok_or("there is no such group")?.numbers[i])
    }
}

unsafe fn own<'a>(me: *mut c_void) -> &'a mut MyPlugin {
    &mut *(me as *mut MyPlugin)
}

unsafe extern "C" fn add_group(
    me: *mut c_void, params: *const *mut levin_tensor, names: *const *const c_char, n: u32, args: *const levin_args,
    index: *mut u32,
) -> levin_status {
    levin_call(own(me).host, || {
        let values = (*args).values; // in the order of the options
        let mut group = Group { numbers: [(*values).v.f, (*values.add(1)).v.f], params: Vec::new() };
        for i in 0..n as usize {
            group.params.push(own(me).param(*params.add(i), *names.add(i))?);
        }
        own(me).groups.push(group);
        *index = own(me).groups.len() as u32 - 1;
        Ok(LEVIN_OK as levin_status)
    })
}

// Called without gradients.
unsafe extern "C" fn step(
    me: *mut c_void, _run: *mut levin_run, _closure: Option<unsafe extern "C" fn(*mut c_void) -> levin_status>, _ctx: *mut c_void,
) -> levin_status {
    levin_call(own(me).host, || own(me).step())
}

// Schedules change numbers by `set`.
unsafe extern "C" fn set(me: *mut c_void, group: u32, option: *const c_char, value: f64) -> levin_status {
    levin_call(own(me).host, || {
        *own(me).number(group, option)? = value;
        Ok(LEVIN_OK as levin_status)
    })
}

unsafe extern "C" fn get(me: *mut c_void, group: u32, option: *const c_char, out: *mut f64) -> levin_status {
    levin_call(own(me).host, || {
        *out = *own(me).number(group, option)?;
        Ok(LEVIN_OK as levin_status)
    })
}

// Checkpoints keep these tensors.
unsafe extern "C" fn visit(me: *mut c_void, visitor: *const levin_visitor) -> levin_status {
    for param in own(me).groups.iter().flat_map(|group| &group.params) {
        let name = param.state_name.as_ptr();
        let status = (*visitor).tensor.unwrap()(visitor, name, param.velocity.raw, LEVIN_BUFFER);
        if status < 0 {
            return status;
        }
    }
    LEVIN_OK as levin_status
}

unsafe extern "C" fn create(
    host: *const levin_host, _given: *const levin_create, me: *mut *mut c_void, out: *mut *const levin_object,
) -> levin_status {
    levin_call(host, || {
        let made = MyPlugin { host, ops: levin_service(host, c!("levin.ops/1"))?, groups: Vec::new() };
        let size = std::mem::size_of::<levin_optimizer>() as u32;
        let table = levin_optimizer {
            o: levin_object { size, destroy: Some(levin_destroy::<MyPlugin>), ..Default::default() },
            add_group: Some(add_group),
            step: Some(step),
            set: Some(set),
            get: Some(get),
            visit: Some(visit),
        };
        levin_give(made, table, me, out)
    })
}

fn option(name: *const c_char, deflt: *const c_char, help: *const c_char, max: f64) -> levin_option {
    levin_option { name, type_: LEVIN_T_FLOAT, deflt, help, max, ..Default::default() }
}

#[no_mangle]
pub extern "C" fn levin_plugin_v0(_host: *const levin_host) -> *const levin_plugin {
    let options = Box::leak(Box::new([
        option(c!("lr"), c!("0.01"), c!("learning rate"), 10.0),
        option(c!("momentum"), c!("0.9"), c!("momentum factor"), 1.0),
    ]));
    let component = levin_component {
        size: std::mem::size_of::<levin_component>() as u32,
        kind: LEVIN_KIND_OPTIMIZER,
        id: c!("my_plugin"),
        version: c!("1.0.0"),
        summary: c!("Gradient descent with momentum"),
        options: options.as_ptr(),
        n_options: options.len() as u32,
        option_size: std::mem::size_of::<levin_option>() as u32,
        create: Some(create),
        ..Default::default()
    };
    levin_describe(c!("com.example.my_plugin"), c!("1.0.0"), component)
}
