// Writes each metric as a line "step name value".
include!(env!("LEVIN_RS"));
use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::io::Write;

levin_note!("com.example.my_plugin", "1.0.0");

struct MyPlugin {
    host: *const levin_host,
    name: String, // of the file
    out: Option<File>,
    bytes: u64, // length of the file at the checkpoint from which the run resumes
}

unsafe fn text(pointer: *const c_char) -> String {
    CStr::from_ptr(pointer).to_string_lossy().into_owned()
}

impl MyPlugin {
    fn begin(&mut self, folder: &str, goes_on: bool) -> Result<levin_status, String> {
        let path = format!("{}/{}", folder, self.name);
        let failed = |e| format!("cannot write {}: {}", path, e);
        let file = OpenOptions::new().append(true).create(true).open(&path).map_err(failed)?;
        // A resumed run logs again what came after its checkpoint.
        if goes_on && file.metadata().map_err(failed)?.len() > self.bytes {
            file.set_len(self.bytes).map_err(failed)?;
        }
        self.out = Some(file);
        Ok(LEVIN_OK as levin_status)
    }
    fn position(&self) -> u64 {
        self.out.as_ref().and_then(|file| file.metadata().ok()).map_or(self.bytes, |data| data.len())
    }
    fn line(&mut self, line: String) -> Result<levin_status, String> {
        let mut out = self.out.as_ref().ok_or("the run has not begun")?;
        out.write_all(line.as_bytes()).map_err(|e| format!("cannot write {}: {}", self.name, e))?;
        Ok(LEVIN_OK as levin_status)
    }
}

unsafe fn own<'a>(me: *mut c_void) -> &'a mut MyPlugin {
    &mut *(me as *mut MyPlugin)
}

unsafe extern "C" fn begin(me: *mut c_void, run: *const levin_logger_begin) -> levin_status {
    levin_call(own(me).host, || own(me).begin(&text((*run).run_dir), (*run).resumed_step >= 0))
}

unsafe extern "C" fn metrics(
    me: *mut c_void, step: i64, names: *const *const c_char, values: *const f64, n: u32,
) -> levin_status {
    levin_call(own(me).host, || {
        for i in 0..n as usize {
            own(me).line(format!("{} {} {}\n", step, text(*names.add(i)), *values.add(i)))?;
        }
        Ok(LEVIN_OK as levin_status)
    })
}

unsafe extern "C" fn finalize(me: *mut c_void, status: *const c_char) -> levin_status {
    levin_call(own(me).host, || own(me).line(format!("{}\n", text(status))))
}

// For checkpoints, each of which comes after a flush: how far the file is.
unsafe extern "C" fn save(me: *mut c_void, to: *const levin_writer) -> levin_status {
    let bytes = own(me).position();
    let put = |put: unsafe extern "C" fn(_, _, _, _) -> levin_status| {
        put(to, c!("bytes"), &bytes as *const u64 as *const c_void, std::mem::size_of::<u64>() as _)
    };
    (*to).put.map_or(LEVIN_OK as levin_status, put)
}

unsafe extern "C" fn load(me: *mut c_void, from: *const levin_reader) -> levin_status {
    let (mut data, mut n) = (std::ptr::null(), 0);
    if let Some(get) = (*from).get {
        if get(from, c!("bytes"), &mut data, &mut n) == LEVIN_OK as levin_status && n as usize == 8 {
            own(me).bytes = (data as *const u64).read_unaligned();
        }
    }
    LEVIN_OK as levin_status
}

unsafe extern "C" fn create(
    host: *const levin_host, given: *const levin_create, me: *mut *mut c_void, out: *mut *const levin_object,
) -> levin_status {
    levin_call(host, || {
        let values = (*(*given).args).values; // in the order of the options
        let made = MyPlugin { host, name: text((*values).v.s), out: None, bytes: 0 };
        let size = std::mem::size_of::<levin_logger>() as u32;
        let o = levin_object { size, destroy: Some(levin_destroy::<MyPlugin>), save: Some(save), load: Some(load), ..Default::default() };
        let table = levin_logger {
            o,
            begin: Some(begin),
            metrics: Some(metrics),
            finalize: Some(finalize),
            ..Default::default()
        };
        levin_give(made, table, me, out)
    })
}

#[no_mangle]
pub extern "C" fn levin_plugin_v0(_host: *const levin_host) -> *const levin_plugin {
    let options = Box::leak(Box::new([levin_option {
        name: c!("file"),
        type_: LEVIN_T_STRING,
        deflt: c!("\"lines.txt\""), // JSON, so text is quoted
        help: c!("file in the run's folder"),
        min: 1.0,
        ..Default::default()
    }]));
    let component = levin_component {
        size: std::mem::size_of::<levin_component>() as u32,
        kind: LEVIN_KIND_LOGGER,
        id: c!("my_plugin"),
        version: c!("1.0.0"),
        summary: c!("Writes each metric as a line"),
        options: options.as_ptr(),
        n_options: options.len() as u32,
        option_size: std::mem::size_of::<levin_option>() as u32,
        create: Some(create),
        ..Default::default()
    };
    levin_describe(c!("com.example.my_plugin"), c!("1.0.0"), component)
}
