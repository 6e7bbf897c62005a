//! Networks made by hand, honest and hostile.

use prost::Message as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use tract_onnx::pb::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TypeProto, ValueInfoProto,
    tensor_shape_proto, type_proto,
};

use super::*;

const FLOAT: i32 = 1;

pub fn constant(name: &str, dims: &[i64], numbers: &[f32]) -> TensorProto {
    TensorProto {
        name: name.to_owned(),
        dims: dims.to_vec(),
        data_type: FLOAT,
        float_data: numbers.to_vec(),
        ..TensorProto::default()
    }
}

pub fn node(operator: &str, inputs: &[&str], output: &str) -> NodeProto {
    NodeProto {
        op_type: operator.to_owned(),
        input: inputs.iter().map(|&name| name.to_owned()).collect(),
        output: vec![output.to_owned()],
        name: output.to_owned(),
        ..NodeProto::default()
    }
}

fn numbers(name: &str, sizes: &[i64]) -> ValueInfoProto {
    let dim = |&size: &i64| tensor_shape_proto::Dimension {
        value: Some(tensor_shape_proto::dimension::Value::DimValue(size)),
        ..tensor_shape_proto::Dimension::default()
    };
    let shape = tract_onnx::pb::TensorShapeProto { dim: sizes.iter().map(dim).collect() };
    let tensor = type_proto::Tensor { elem_type: FLOAT, shape: Some(shape) };
    let kind = TypeProto { value: Some(type_proto::Value::TensorType(tensor)), ..TypeProto::default() };
    ValueInfoProto { name: name.to_owned(), r#type: Some(kind), ..ValueInfoProto::default() }
}

/// A network from three numbers to the output of its last node.
fn model(node: Vec<NodeProto>, initializer: Vec<TensorProto>) -> ModelProto {
    model_of(3, node, initializer)
}

/// A network from this many numbers to the output of its last node.
pub fn model_of(input: i64, node: Vec<NodeProto>, initializer: Vec<TensorProto>) -> ModelProto {
    let output = node.last().map_or_else(Vec::new, |last| {
        vec![ValueInfoProto { name: last.output[0].clone(), ..ValueInfoProto::default() }]
    });
    let graph =
        GraphProto { node, initializer, input: vec![numbers("x", &[1, input])], output, ..GraphProto::default() };
    ModelProto {
        ir_version: 8,
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: 17 }],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

/// Two numbers: the sum of all three, and the positive part of the first.
fn linear() -> ModelProto {
    let weights = constant("w", &[3, 2], &[1.0, 1.0, 1.0, 0.0, 1.0, 0.0]);
    let bias = constant("b", &[2], &[0.5, 0.0]);
    model(vec![node("Gemm", &["x", "w", "b"], "y"), node("Relu", &["y"], "z")], vec![weights, bias])
}

fn open(model: &ModelProto) -> Result<Network, String> {
    open_bytes(&model.encode_to_vec())
}

fn open_bytes(bytes: &[u8]) -> Result<Network, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let opened = Network::open(file.path(), 3, 2);
    opened.map_err(|message| message.split_once("`: ").map_or(message.clone(), |(_, why)| why.to_owned()))
}

fn refusal(model: &ModelProto) -> String {
    open(model).err().expect("the network is refused")
}

#[test]
fn a_network_turns_an_observation_into_numbers() {
    let network = open(&linear()).unwrap();
    let mut out = Vec::new();
    network.run(&[1.0, 2.0, 4.0], &mut out).unwrap();
    assert_eq!(out, [7.5, 1.0]);
    network.run(&[-8.0, 2.0, 4.0], &mut out).unwrap();
    assert_eq!(out, [0.0, 0.0]);
}

#[test]
fn other_outputs_are_ignored() {
    let mut two = linear();
    let graph = two.graph.as_mut().unwrap();
    graph.node.push(node("Tanh", &["z"], "value"));
    graph.output.push(ValueInfoProto { name: "value".to_owned(), ..ValueInfoProto::default() });
    let mut out = Vec::new();
    open(&two).unwrap().run(&[1.0, 0.0, 0.0], &mut out).unwrap();
    assert_eq!(out, [1.5, 1.0]);
}

#[test]
fn other_types_are_refused() {
    // 10: float16, 11: float64.
    for (kind, name) in [(10, "float16"), (11, "float64")] {
        let mut half = linear();
        let to = AttributeProto { name: "to".to_owned(), i: kind, r#type: 2, ..AttributeProto::default() };
        let graph = half.graph.as_mut().unwrap();
        graph.node.push(NodeProto { attribute: vec![to], ..node("Cast", &["z"], "cast") });
        graph.output[0].name = "cast".to_owned();
        let why = format!("the network gives {name} numbers: export it with float32 inputs and outputs");
        assert_eq!(refusal(&half), why);
    }
    let mut half = linear();
    let input = &mut half.graph.as_mut().unwrap().input[0];
    let Some(type_proto::Value::TensorType(tensor)) = &mut input.r#type.as_mut().unwrap().value else { panic!() };
    tensor.elem_type = 10;
    assert!(refusal(&half).starts_with("the network takes float16 numbers"), "{}", refusal(&half));
}

#[test]
fn wrong_sizes_are_told() {
    let bytes = linear().encode_to_vec();
    let read = |observation, actions| Network::read(&bytes, observation, actions).err().unwrap();
    assert!(read(4, 2).contains("does not fit an observation of 4 numbers"), "{}", read(4, 2));
    assert_eq!(read(3, 5), "the network gives 2 numbers, but the game has 5 actions");
    let mut two = linear();
    two.graph.as_mut().unwrap().input.push(numbers("mask", &[1, 2]));
    assert_eq!(refusal(&two), "the network has 2 inputs: it needs one, the observation");
}

#[test]
fn hostile_networks_are_refused() {
    let with = |operator: &str| model(vec![node(operator, &["x"], "y")], Vec::new());
    for operator in
        ["Loop", "If", "Scan", "ConstantOfShape", "Expand", "Tile", "Range", "RandomNormal", "Pad", "Resize"]
    {
        assert!(refusal(&with(operator)).starts_with(&format!("operator `{operator}` is not allowed")), "{operator}");
    }
    let mut foreign = with("Relu");
    foreign.graph.as_mut().unwrap().node[0].domain = "com.example".to_owned();
    assert!(refusal(&foreign).contains("is not allowed"));
    // A small file whose constants multiply to a large matrix.
    let (column, row) = (constant("a", &[3000, 1], &[1.0; 3000]), constant("b", &[1, 3000], &[1.0; 3000]));
    let product = model(vec![node("MatMul", &["a", "b"], "c"), node("Relu", &["x"], "y")], vec![column, row]);
    assert_eq!(refusal(&product), "operator `MatMul` computes a constant: fold constants when you export");
    // The same with the observation as a factor.
    let wide = constant("w", &[1, 4_000_000], &vec![1.0; 4_000_000]);
    let rows = model(vec![node("Transpose", &["x"], "t"), node("MatMul", &["t", "w"], "y")], vec![wide]);
    assert!(refusal(&rows).contains("the limit is 4194304 numbers"), "{}", refusal(&rows));
    // Sizes without numbers.
    let empty = model(vec![node("Add", &["x", "w"], "y")], vec![constant("w", &[1 << 40, 1 << 40], &[])]);
    assert!(refusal(&empty).starts_with("constant `w` has 0 bytes or numbers"));
    let negative = model(vec![node("Add", &["x", "w"], "y")], vec![constant("w", &[-1], &[])]);
    assert!(refusal(&negative).starts_with("constant `w`"));
    // Numbers in another file.
    let mut elsewhere = linear();
    elsewhere.graph.as_mut().unwrap().initializer[0].data_location = Some(1);
    assert!(refusal(&elsewhere).starts_with("constant `w` is in another file"));
    // A network in an attribute.
    let mut inner = linear();
    let attribute = AttributeProto { g: Some(GraphProto::default()), ..AttributeProto::default() };
    inner.graph.as_mut().unwrap().node[0].attribute.push(attribute);
    assert_eq!(refusal(&inner), "operator `Gemm` contains another network");
    let long = model(vec![node("Relu", &["x"], "y"); MOST_NODES + 1], Vec::new());
    assert_eq!(refusal(&long), "the network has 2001 operators; the limit is 2000");
    assert_eq!(refusal(&ModelProto::default()), "the file has no network");
    assert_eq!(refusal(&model(Vec::new(), Vec::new())), "the network has no output");
}

#[test]
fn too_much_work_is_refused() {
    // A hundred layers of a thousand units.
    let square = constant("w", &[1000, 1000], &vec![0.0; 1_000_000]);
    let mut nodes = vec![node("MatMul", &["x", "first"], "h0")];
    for layer in 0..250 {
        nodes.push(node("MatMul", &[&format!("h{layer}"), "w"], &format!("h{}", layer + 1)));
    }
    let first = constant("first", &[3, 1000], &vec![0.0; 3000]);
    let deep = model(nodes, vec![first, square]);
    assert!(refusal(&deep).ends_with("the limit is 200000000"), "{}", refusal(&deep));
}

#[test]
fn damaged_files_are_refused_without_a_panic() {
    let whole = linear().encode_to_vec();
    let mut random = Pcg64Mcg::seed_from_u64(7);
    for cut in 0..whole.len() {
        let _ = open_bytes(&whole[..cut]);
    }
    let mut kept = 0;
    for _ in 0..3000 {
        let mut bytes = whole.clone();
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(0..bytes.len());
            bytes[at] = random.random();
        }
        if let Ok(network) = open_bytes(&bytes) {
            kept += 1;
            let _ = network.run(&[1.0, 2.0, 3.0], &mut Vec::new());
        }
    }
    assert!(kept > 0, "some changes only change a number");
    assert_eq!(open_bytes(b"no network").err().unwrap(), "not an ONNX file");
}
