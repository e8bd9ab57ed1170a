// Logs how long the slowest training batch of an epoch took, and says when one is slower than a limit.
include!(env!("LEVIN_RS"));
use std::time::Instant;

levin_note!("com.example.my_plugin", "1.0.0");

struct MyPlugin {
    host: *const levin_host,
    limit: f64,
    begin: Instant,
    slowest: f64, // seconds
}

impl MyPlugin {
    // Called for the hooks in the component's mask.
    fn on(&mut self, event: &levin_event) -> Result<levin_status, String> {
        match event.hook {
            LEVIN_HOOK_TRAIN_EPOCH_START => self.slowest = 0.0,
            LEVIN_HOOK_TRAIN_BATCH_START => self.begin = Instant::now(),
            LEVIN_HOOK_TRAIN_BATCH_END => self.end_of_batch(event),
            LEVIN_HOOK_TRAIN_EPOCH_END => self.log(event)?,
            _ => {}
        }
        Ok(LEVIN_OK as levin_status)
    }

    fn end_of_batch(&mut self, event: &levin_event) {
        let seconds = self.begin.elapsed().as_secs_f64();
        self.slowest = self.slowest.max(seconds);
        if seconds > self.limit {
            let text = format!("batch {} took {} s\0", event.batch_idx, seconds);
            let log = unsafe { (*self.host).log };
            log.map(|log| unsafe { log(self.host, LEVIN_LOG_WARNING as i32, text.as_ptr() as *const c_char) });
        }
    }

    fn log(&self, event: &levin_event) -> Result<(), String> {
        let trainer: &levin_trainer = levin_service(self.host, c!("levin.trainer/1"))?;
        let log = levin_log_of(c!("slowest_batch"), self.slowest);
        levin_ok(self.host, trainer.log.map_or(0, |call| unsafe { call(event.run, &log) }))
    }
}

unsafe extern "C" fn on(me: *mut c_void, event: *const levin_event) -> levin_status {
    let me = &mut *(me as *mut MyPlugin);
    levin_call(me.host, || me.on(&*event))
}

unsafe extern "C" fn create(
    host: *const levin_host, given: *const levin_create, me: *mut *mut c_void, out: *mut *const levin_object,
) -> levin_status {
    levin_call(host, || {
        let values = (*(*given).args).values; // in the order of the options
        let made = MyPlugin { host, limit: (*values).v.f, begin: Instant::now(), slowest: 0.0 };
        let size = std::mem::size_of::<levin_callback>() as u32;
        let o = levin_object { size, destroy: Some(levin_destroy::<MyPlugin>), ..Default::default() };
        levin_give(made, levin_callback { o, on: Some(on) }, me, out)
    })
}

#[no_mangle]
pub extern "C" fn levin_plugin_v0(_host: *const levin_host) -> *const levin_plugin {
    let options = Box::leak(Box::new([levin_option {
        name: c!("limit"),
        type_: LEVIN_T_FLOAT,
        deflt: c!("1.0"),
        help: c!("seconds after which a batch is slow"),
        max: 1e9,
        ..Default::default()
    }]));
    let hooks = [
        LEVIN_HOOK_TRAIN_EPOCH_START,
        LEVIN_HOOK_TRAIN_BATCH_START,
        LEVIN_HOOK_TRAIN_BATCH_END,
        LEVIN_HOOK_TRAIN_EPOCH_END,
    ];
    let component = levin_component {
        size: std::mem::size_of::<levin_component>() as u32,
        kind: LEVIN_KIND_CALLBACK,
        id: c!("my_plugin"),
        version: c!("1.0.0"),
        summary: c!("Logs the slowest training batch of each epoch"),
        options: options.as_ptr(),
        n_options: options.len() as u32,
        option_size: std::mem::size_of::<levin_option>() as u32,
        hooks: [hooks.iter().fold(0, |mask, hook| mask | 1 << hook), 0],
        create: Some(create),
        ..Default::default()
    };
    levin_describe(c!("com.example.my_plugin"), c!("1.0.0"), component)
}
