// Points in a square, of two classes: which of the two numbers is the larger one.
include!(env!("LEVIN_RS"));

levin_note!("com.example.my_plugin", "1.0.0");

struct MyPlugin {
    rows: i64,
    fields: [levin_field; 2],
}

// The same number for the same seed, so that a row is the same whenever it is asked for.
fn uniform(seed: u64) -> f32 {
    let mut k = seed.wrapping_add(0x9e3779b97f4a7c15);
    k = (k ^ (k >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    k = (k ^ (k >> 27)).wrapping_mul(0x94d049bb133111eb);
    ((k ^ (k >> 31)) >> 40) as f32 / 16777216.0
}

fn field(name: *const c_char, code: u32, bits: u8, ndim: i32, role: u32, classes: i64) -> levin_field {
    levin_field {
        name,
        dtype: levin_dtype { code: code as u8, bits, lanes: 1 },
        ndim,
        shape: [2, 0, 0, 0, 0, 0],
        role,
        classes,
        ..Default::default()
    }
}

unsafe extern "C" fn describe(me: *mut c_void, split: u32, _loader: u32, out: *mut levin_split) -> levin_status {
    let me = &*(me as *const MyPlugin);
    (*out).rows = if split == LEVIN_TRAIN { me.rows } else { 512 };
    levin_set_fields(&mut *out, &me.fields);
    LEVIN_OK as levin_status
}

// Writes the rows that are asked for into the host's buffers, one for each field; perhaps on several threads at once.
unsafe extern "C" fn fill(_me: *mut c_void, given: *const levin_fill, out: *const levin_view) -> levin_status {
    let given = &*given;
    let n = given.n as usize;
    let indices = std::slice::from_raw_parts(given.indices, n);
    let x = std::slice::from_raw_parts_mut((*out).data as *mut f32, 2 * n);
    let y = std::slice::from_raw_parts_mut((*out.add(1)).data as *mut i64, n);
    for (i, index) in indices.iter().enumerate() {
        let seed = ((given.split as u64) << 40 | *index as u64) * 2;
        x[2 * i] = uniform(seed);
        x[2 * i + 1] = uniform(seed + 1);
        y[i] = (x[2 * i + 1] > x[2 * i]) as i64;
    }
    LEVIN_OK as levin_status
}

unsafe extern "C" fn create(
    host: *const levin_host, given: *const levin_create, me: *mut *mut c_void, out: *mut *const levin_object,
) -> levin_status {
    levin_call(host, || {
        let values = (*(*given).args).values; // in the order of the options
        let x = field(c!("x"), LEVIN_FLOAT, 32, 1, LEVIN_ROLE_INPUT, 0);
        let y = field(c!("y"), LEVIN_INT, 64, 0, LEVIN_ROLE_TARGET, 2);
        let made = MyPlugin { rows: (*values).v.i, fields: [x, y] };
        let size = std::mem::size_of::<levin_data>() as u32;
        let o = levin_object { size, destroy: Some(levin_destroy::<MyPlugin>), ..Default::default() };
        let table = levin_data { o, describe: Some(describe), fill: Some(fill), ..Default::default() };
        levin_give(made, table, me, out)
    })
}

#[no_mangle]
pub extern "C" fn levin_plugin_v0(_host: *const levin_host) -> *const levin_plugin {
    let options = Box::leak(Box::new([levin_option {
        name: c!("rows"),
        type_: LEVIN_T_INT,
        deflt: c!("4096"),
        help: c!("training rows"),
        min: 1.0,
        max: 1e9,
        ..Default::default()
    }]));
    let component = levin_component {
        size: std::mem::size_of::<levin_component>() as u32,
        kind: LEVIN_KIND_DATA,
        id: c!("my_plugin"),
        version: c!("1.0.0"),
        summary: c!("Points of two classes"),
        options: options.as_ptr(),
        n_options: options.len() as u32,
        option_size: std::mem::size_of::<levin_option>() as u32,
        flags: LEVIN_F_CONCURRENT as u64,
        create: Some(create),
        ..Default::default()
    };
    levin_describe(c!("com.example.my_plugin"), c!("1.0.0"), component)
}
