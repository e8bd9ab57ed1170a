// Stops a run whose loss is not a number any more, or larger than a limit, and says at which batch.
include!(env!("LEVIN_RS"));

levin_note!("com.example.loss_limit", "1.0.0");

struct LossLimit {
    host: *const levin_host,
    limit: f64,
}

impl LossLimit {
    fn on(&self, event: &levin_event) -> Result<levin_status, String> {
        let mut loss = 0.0;
        if event.n_outputs == 0 {
            return Ok(LEVIN_OK as levin_status);
        }
        let output = unsafe { (*event.outputs).tensor }; // "loss" is the first
        levin_ok(self.host, unsafe { (*self.host).tensor_item.unwrap()(self.host, output, &mut loss) })?;
        if loss <= self.limit {
            return Ok(LEVIN_OK as levin_status);
        }
        let trainer: &levin_trainer = levin_service(self.host, c!("levin.trainer/1"))?;
        let reason = format!("the loss of batch {} of epoch {} is {}\0", event.batch_idx, event.epoch, loss);
        levin_ok(self.host, unsafe { trainer.stop.unwrap()(event.run, reason.as_ptr() as *const c_char) })?;
        Ok(LEVIN_STOP as levin_status)
    }
}

unsafe extern "C" fn on(me: *mut c_void, event: *const levin_event) -> levin_status {
    let me = &*(me as *const LossLimit);
    levin_call(me.host, || me.on(&*event))
}

unsafe extern "C" fn create(
    host: *const levin_host, given: *const levin_create, me: *mut *mut c_void, out: *mut *const levin_object,
) -> levin_status {
    let size = std::mem::size_of::<levin_callback>() as u32;
    let o = levin_object { size, destroy: Some(levin_destroy::<LossLimit>), ..Default::default() };
    let limit = (*(*(*given).args).values).v.f; // the values are in the order of the options
    levin_call(host, || levin_give(LossLimit { host, limit }, levin_callback { o, on: Some(on) }, me, out))
}

#[no_mangle]
pub extern "C" fn levin_plugin_v0(_host: *const levin_host) -> *const levin_plugin {
    let options = Box::leak(Box::new([levin_option {
        name: c!("limit"),
        type_: LEVIN_T_FLOAT,
        deflt: c!("1000"),
        help: c!("the largest loss that a run goes on with"),
        max: f64::MAX,
        ..Default::default()
    }]));
    let component = levin_component {
        size: std::mem::size_of::<levin_component>() as u32,
        kind: LEVIN_KIND_CALLBACK,
        id: c!("loss_limit"),
        version: c!("1.0.0"),
        summary: c!("Stops a run whose loss is too large, or not a number"),
        options: options.as_ptr(),
        n_options: options.len() as u32,
        option_size: std::mem::size_of::<levin_option>() as u32,
        hooks: [1 << LEVIN_HOOK_TRAIN_BATCH_END, 0],
        create: Some(create),
        ..Default::default()
    };
    levin_describe(c!("com.example.loss_limit"), c!("1.0.0"), component)
}
