// What a plugin in Rust begins with, by include!(env!("LEVIN_RS")): levin/abi.h as bindgen reads it, and what its macros and
// rules need in Rust. levin_add_rust_plugin() (LevinRust.cmake) sets both variables.
#[allow(dead_code, non_camel_case_types, non_snake_case, non_upper_case_globals)]
#[allow(clippy::all)]
mod levin_abi {
    include!(env!("LEVIN_ABI_RS"));
}
#[allow(unused_imports)]
use levin_abi::*;
#[allow(unused_imports)]
use std::os::raw::{c_char, c_void};

/// A text as C wants it.
#[allow(unused_macros)]
macro_rules! c {
    ($text:expr) => {
        concat!($text, "\0").as_ptr() as *const c_char
    };
}

#[repr(C, align(4))]
struct LevinNote {
    name_size: u32,
    text_size: u32,
    kind: u32,
    name: [u8; 4],
    text: [u8; 256],
}

const fn levin_note_of(text: &[u8]) -> LevinNote {
    let mut note = LevinNote { name_size: 4, text_size: 256, kind: 1, name: *b"LEV\0", text: [0; 256] };
    let (major, minor) = (LEVIN_ABI_MAJOR as u8, LEVIN_ABI_MINOR as u8); // below 10, and below 100
    let abi = [b'a', b'b', b'i', b'=', b'0' + major, b'.', b'0' + minor / 10, b'0' + minor % 10, 0];
    let (mut at, mut i) = (0, 0);
    while i < abi.len() {
        if i != 6 || minor >= 10 {
            note.text[at] = abi[i];
            at += 1;
        }
        i += 1;
    }
    i = 0;
    while i < text.len() {
        note.text[at + i] = text[i];
        i += 1;
    }
    note
}

/// levin_note!("org.example.name", "1.0.0"): the note that makes the library a plugin.
#[allow(unused_macros)]
macro_rules! levin_note {
    ($id:expr, $version:expr) => {
        #[used]
        #[link_section = ".note.levin"]
        static LEVIN_NOTE_: LevinNote =
            levin_note_of(concat!("id=", $id, "\0version=", $version, "\0torch=none\0").as_bytes());
    };
}

/// What the plugin returns of itself; never freed, as the ABI asks for.
#[allow(dead_code)]
fn levin_describe(id: *const c_char, version: *const c_char, component: levin_component) -> *const levin_plugin {
    let component: *const levin_component = Box::leak(Box::new(component));
    Box::leak(Box::new(levin_plugin {
        size: std::mem::size_of::<levin_plugin>() as u32,
        abi_major: LEVIN_ABI_MAJOR,
        abi_minor: LEVIN_ABI_MINOR,
        id,
        version,
        license: c!("Apache-2.0"),
        url: c!(""),
        components: Box::leak(Box::new([component])).as_ptr(),
        n_components: 1,
        ..Default::default()
    }))
}

/// Tells the host why a call failed.
#[allow(dead_code)]
fn levin_fail(host: *const levin_host, status: levin_status, why: &str) -> levin_status {
    let text = std::ffi::CString::new(why.replace('\0', " ")).unwrap_or_default();
    unsafe { (*host).fail.map_or(status, |fail| fail(host, status, text.as_ptr())) }
}

/// Runs what a call of the host is about. Errors and panics become failures: neither crosses the border.
#[allow(dead_code)]
fn levin_call(host: *const levin_host, body: impl FnOnce() -> Result<levin_status, String>) -> levin_status {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)) {
        Ok(Ok(status)) => status,
        Ok(Err(why)) => levin_fail(host, LEVIN_E_INVALID, &why),
        Err(_) => levin_fail(host, LEVIN_E_EXCEPTION, "the plugin panicked; its message is above"),
    }
}

/// A service of the host.
#[allow(dead_code)]
fn levin_service<T>(host: *const levin_host, id: *const c_char) -> Result<&'static T, String> {
    let table = unsafe { (*host).service.map_or(std::ptr::null(), |find| find(host, id)) };
    unsafe { (table as *const T).as_ref() }.ok_or_else(|| "the host does not offer what the plugin needs".to_string())
}

/// Ok unless the host refused the call; it has told why.
#[allow(dead_code)]
fn levin_ok(host: *const levin_host, status: levin_status) -> Result<(), String> {
    if status >= 0 {
        return Ok(());
    }
    let why = unsafe { (*host).last_error.map_or(std::ptr::null(), |last| last(host)) };
    if why.is_null() {
        return Err(format!("the host refused a call with {}", status));
    }
    Err(unsafe { std::ffi::CStr::from_ptr(why) }.to_string_lossy().into_owned())
}

/// The fields of the data that a model gets.
#[allow(dead_code)]
fn levin_fields(data: &levin_data_info) -> Vec<&levin_field> {
    let (first, stride) = (data.fields as *const u8, data.field_size as usize);
    (0..data.n_fields as usize).map(|i| unsafe { &*(first.add(i * stride) as *const levin_field) }).collect()
}

/// The fields in the description of a data module; they must live as long as the instance.
#[allow(dead_code)]
fn levin_set_fields(out: &mut levin_split, fields: &[levin_field]) {
    out.fields = fields.as_ptr();
    out.n_fields = fields.len() as u32;
    out.field_size = std::mem::size_of::<levin_field>() as u32;
}

/// LEVIN_LOG_INIT with a name and a number.
#[allow(dead_code)]
fn levin_log_of(name: *const c_char, number: f64) -> levin_log {
    levin_log {
        size: std::mem::size_of::<levin_log>() as u32,
        on_step: -1,
        on_epoch: -1,
        logger: 1,
        add_dataloader_idx: 1,
        batch_size: -1,
        name,
        number,
        ..Default::default()
    }
}

/// The destroy of an object that create made by Box::into_raw.
#[allow(dead_code)]
unsafe extern "C" fn levin_destroy<T>(me: *mut c_void) {
    drop(Box::from_raw(me as *mut T));
}

/// Hands the host an object and its table.
#[allow(dead_code)]
unsafe fn levin_give<T, Table>(
    made: T, table: Table, me: *mut *mut c_void, out: *mut *const levin_object,
) -> Result<levin_status, String> {
    *me = Box::into_raw(Box::new(made)) as *mut c_void;
    *out = Box::leak(Box::new(table)) as *const Table as *const levin_object; // its head
    Ok(LEVIN_OK as levin_status)
}
