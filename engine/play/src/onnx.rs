//! Neural networks in ONNX files: from an observation to one number for each action.
//!
//! A file comes from a stranger. Before anything runs, it must pass limits on its size, its operators, the size of its
//! tensors and the work of one decision, so that no file can exhaust the memory or the time of a match. It cannot read
//! other files.

use std::collections::{BTreeMap, HashSet};
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use motherlode::Setup;
use motherlode::declare::OptionValue;
use motherlode::tools::hidden;
use motherlode_files::{read_regular, reason};
use serde::{Deserialize, Serialize};
use tract_onnx::pb::{GraphProto, ModelProto, NodeProto, TensorProto};
use tract_onnx::prelude::{
    DatumType, Framework, InferenceModel, InferenceModelExt, IntoRunnable, Tensor, TractError, TypedModel,
    TypedRunnableModel, onnx, tvec,
};
use tract_onnx::tract_core::ops::Cost;
use tract_onnx::tract_hir::infer::{Factoid, InferenceFact};

/// Maximum size of a file, in bytes.
const MOST_BYTES: u64 = 32 << 20;
/// Maximum number of operators.
const MOST_NODES: usize = 2000;
/// Maximum numbers in one tensor.
const MOST_NUMBERS: usize = 1 << 22;
/// Maximum multiplications of one decision: about 50 ms.
const MOST_WORK: usize = 200_000_000;

/// Operators that compute new numbers, and so must depend on the observation.
const COMPUTING: [&str; 38] = [
    "Abs",
    "Add",
    "AveragePool",
    "BatchNormalization",
    "Clip",
    "Concat",
    "Conv",
    "Div",
    "Elu",
    "Erf",
    "Exp",
    "Flatten",
    "Gather",
    "Gelu",
    "Gemm",
    "GlobalAveragePool",
    "HardSigmoid",
    "HardSwish",
    "LayerNormalization",
    "LeakyRelu",
    "Log",
    "LogSoftmax",
    "MatMul",
    "Max",
    "MaxPool",
    "Mean",
    "Min",
    "Mul",
    "Neg",
    "PRelu",
    "Pow",
    "ReduceMean",
    "Relu",
    "Sigmoid",
    "Softmax",
    "Sqrt",
    "Sub",
    "Tanh",
];
/// Operators that only rearrange numbers, of constants as well.
const REARRANGING: [&str; 8] =
    ["Cast", "Constant", "Identity", "Reshape", "Slice", "Squeeze", "Transpose", "Unsqueeze"];

/// The entry of the metadata of a file that has its [`Purpose`], as JSON.
const PURPOSE: &str = "motherlode";

/// The game and the setup that a network was trained for. A file need not tell them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Purpose {
    /// Id of the game.
    pub game: Option<String>,
    /// Hash of the names of its actions and of the numbers of its observations.
    pub names: Option<String>,
    /// Numbers of players; empty: any.
    pub players: Vec<u8>,
    /// Options by name.
    pub options: BTreeMap<String, OptionValue>,
}

impl Purpose {
    fn read(proto: &ModelProto) -> Result<Self, String> {
        let entry = proto.metadata_props.iter().find(|entry| entry.key == PURPOSE);
        let damaged = |error| format!("the metadata `{PURPOSE}` of the file are damaged: {error}");
        entry.map_or_else(|| Ok(Self::default()), |entry| serde_json::from_str(&entry.value).map_err(damaged))
    }

    /// Checks the id of a game, and the hash of the names of its actions and observed numbers.
    ///
    /// # Errors
    /// The network was trained for another game, or for other content of the game.
    pub fn check_game(&self, id: &str, names: &str) -> Result<(), String> {
        match (&self.game, &self.names) {
            (Some(game), _) if game != id => Err(format!("the network was trained for `{game}`, not for `{id}`")),
            (_, Some(trained)) if trained != names => {
                Err(format!("the network was trained with other content or mods of `{id}`: train it anew"))
            }
            _ => Ok(()),
        }
    }

    /// Checks the players and options of a match.
    ///
    /// # Errors
    /// The network was trained for other ones.
    pub fn check(&self, setup: &Setup) -> Result<(), String> {
        if !self.players.is_empty() && !self.players.contains(&setup.players) {
            let players: Vec<String> = self.players.iter().map(ToString::to_string).collect();
            let players = players.join(" or ");
            return Err(format!("the network was trained for {players} players, not for {}", setup.players));
        }
        for (name, trained) in &self.options {
            let Some(value) = setup.options.get(name).filter(|value| *value != trained) else { continue };
            return Err(format!("the network was trained with `{name} = {trained}`, not with `{name} = {value}`"));
        }
        Ok(())
    }
}

/// A network that is ready to run.
#[derive(Clone)]
pub struct Network {
    plan: Arc<TypedRunnableModel>,
    actions: usize,
    purpose: Purpose,
}

impl Network {
    /// Reads a file. The network must turn `observation` numbers into `actions` numbers.
    ///
    /// # Errors
    /// The file cannot be read, is no network, has other sizes, or exceeds a limit; the error is a message.
    pub fn open(path: &Path, observation: usize, actions: usize) -> Result<Self, String> {
        let failed = |message: String| format!("`{}`: {message}", hidden::path(path));
        let bytes =
            read_regular(path, MOST_BYTES).map_err(|error| failed(format!("cannot be read: {}", reason(&error))))?;
        // The library panics on some files.
        catch_unwind(|| Self::read(&bytes, observation, actions))
            .unwrap_or_else(|_| Err("the network cannot be prepared".to_owned()))
            .map_err(failed)
    }

    fn read(bytes: &[u8], observation: usize, actions: usize) -> Result<Self, String> {
        let framework = onnx();
        let foreign = |_| "not an ONNX file".to_owned();
        let mut proto = framework.proto_model_for_read(&mut Cursor::new(bytes)).map_err(foreign)?;
        check(&proto)?;
        let purpose = Purpose::read(&proto)?;
        // Exporters give sizes for any number of observations; here there is one.
        proto.graph.iter_mut().for_each(|graph| graph.value_info.clear());
        let wrong = |error: TractError| format!("the network cannot be prepared: {error}");
        let mut model = framework.parse(&proto, None).map_err(wrong)?.model;
        if model.inputs.len() != 1 {
            return Err(format!("the network has {} inputs: it needs one, the observation", model.inputs.len()));
        }
        let declared = model.input_fact(0).map_err(wrong)?.datum_type.concretize();
        check_type("takes", declared.unwrap_or(DatumType::F32))?;
        let shape = vec![1, observation];
        model.set_input_fact(0, InferenceFact::dt_shape(DatumType::F32, shape)).map_err(wrong)?;
        // Only the first output counts: others may be values of the position.
        model.outputs.truncate(1);
        model.analyse(false).map_err(|error| {
            format!(
                "the network does not fit an observation of {observation} numbers (`Game.observation_shape` in Python): \
                 use it with the game, players, options and mods that it was trained for: {error}"
            )
        })?;
        check_shapes(&model)?;
        let typed = model.into_typed().map_err(wrong)?;
        check_work(&typed)?;
        let output = typed.output_fact(0).map_err(wrong)?;
        check_type("gives", output.datum_type)?;
        let given = output.shape.volume().as_i64();
        if given != i64::try_from(actions).ok() {
            let given = given.map_or_else(|| "?".to_owned(), |given| given.to_string());
            return Err(format!("the network gives {given} numbers, but the game has {actions} actions"));
        }
        let plan = typed.into_optimized().and_then(IntoRunnable::into_runnable).map_err(wrong)?;
        Ok(Self { plan, actions, purpose })
    }

    /// The game, players and options that the network was trained for.
    #[must_use]
    pub const fn purpose(&self) -> &Purpose {
        &self.purpose
    }

    /// One number for each action, from an observation.
    ///
    /// # Errors
    /// The network failed; the error is a message.
    pub fn run(&self, observation: &[f32], out: &mut Vec<f32>) -> Result<(), String> {
        let failed = |error: TractError| format!("the network failed: {error}");
        let run = || {
            let input = Tensor::from_shape(&[1, observation.len()], observation).map_err(failed)?;
            let found = self.plan.run(tvec![input.into()]).map_err(failed)?;
            out.clear();
            if let Some(first) = found.first() {
                out.extend(first.to_plain_array_view::<f32>().map_err(failed)?.iter());
            }
            match out.len() == self.actions {
                true => Ok(()),
                false => Err(format!("the network gave {} numbers for {} actions", out.len(), self.actions)),
            }
        };
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err("the network failed".to_owned()))
    }
}

/// Checks the type of the numbers that a network takes or gives.
fn check_type(verb: &str, kind: DatumType) -> Result<(), String> {
    if kind == DatumType::F32 {
        return Ok(());
    }
    let name = match kind {
        DatumType::F16 => "float16".to_owned(),
        DatumType::F64 => "float64".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    };
    Err(format!("the network {verb} {name} numbers: export it with float32 inputs and outputs"))
}

/// Checks operators and constants before the library sees them.
fn check(proto: &ModelProto) -> Result<(), String> {
    let Some(graph) = &proto.graph else { return Err("the file has no network".to_owned()) };
    if graph.node.len() > MOST_NODES {
        return Err(format!("the network has {} operators; the limit is {MOST_NODES}", graph.node.len()));
    }
    if !graph.sparse_initializer.is_empty() || !proto.functions.is_empty() {
        return Err("sparse constants and functions of the file's own are not allowed".to_owned());
    }
    graph.initializer.iter().try_for_each(check_constant)?;
    // The values that depend on the observation.
    let constants: HashSet<&str> = graph.initializer.iter().map(|constant| constant.name.as_str()).collect();
    let inputs = graph.input.iter().map(|input| input.name.as_str());
    let mut moving: HashSet<&str> = inputs.filter(|name| !constants.contains(name)).collect();
    for node in &graph.node {
        check_operator(node)?;
        let moves = node.input.iter().any(|name| moving.contains(name.as_str()));
        if !moves && COMPUTING.contains(&node.op_type.as_str()) {
            return Err(format!("operator `{}` computes a constant: fold constants when you export", node.op_type));
        }
        if moves {
            moving.extend(node.output.iter().map(String::as_str));
        }
    }
    check_outputs(graph)
}

fn check_outputs(graph: &GraphProto) -> Result<(), String> {
    if graph.output.is_empty() { Err("the network has no output".to_owned()) } else { Ok(()) }
}

fn check_operator(node: &NodeProto) -> Result<(), String> {
    let name = node.op_type.as_str();
    let is_known = COMPUTING.contains(&name) || REARRANGING.contains(&name);
    if !is_known || !["", "ai.onnx"].contains(&node.domain.as_str()) {
        let known: Vec<&str> = REARRANGING.iter().chain(&COMPUTING).copied().collect();
        return Err(format!("operator `{name}` is not allowed; the allowed ones are {}", known.join(", ")));
    }
    for attribute in &node.attribute {
        let has_graph = attribute.g.is_some() || !attribute.graphs.is_empty() || attribute.sparse_tensor.is_some();
        if has_graph || !attribute.sparse_tensors.is_empty() {
            return Err(format!("operator `{name}` contains another network"));
        }
        attribute.t.iter().chain(&attribute.tensors).try_for_each(check_constant)?;
    }
    Ok(())
}

/// A constant must bring its numbers with it.
fn check_constant(constant: &TensorProto) -> Result<(), String> {
    let name = &constant.name;
    if constant.data_location.is_some_and(|location| location != 0) || !constant.external_data.is_empty() {
        return Err(format!(
            "constant `{name}` is in another file: export one file with everything (`external_data=False` in PyTorch)"
        ));
    }
    let numbers = volume(&constant.dims);
    let given = constant.raw_data.len()
        + constant.float_data.len()
        + constant.int32_data.len()
        + constant.int64_data.len()
        + constant.double_data.len()
        + constant.uint64_data.len();
    match numbers {
        Some(numbers) if numbers <= MOST_NUMBERS && numbers <= given => Ok(()),
        _ => Err(format!("constant `{name}` has {given} bytes or numbers for dimensions {:?}", constant.dims)),
    }
}

/// The product of all sizes.
fn volume(sizes: &[i64]) -> Option<usize> {
    sizes.iter().try_fold(1_usize, |all, &size| all.checked_mul(usize::try_from(size).ok()?))
}

/// Checks that all sizes are known and small.
fn check_shapes(model: &InferenceModel) -> Result<(), String> {
    for node in &model.nodes {
        for output in &node.outputs {
            let shape = output.fact.shape.concretize();
            let shape: Option<Vec<i64>> = shape.and_then(|shape| shape.iter().map(|size| size.as_i64()).collect());
            let Some(shape) = shape else {
                return Err(format!("the size of `{}` is not known: export for a batch of one", node.name));
            };
            if volume(&shape).is_none_or(|numbers| numbers > MOST_NUMBERS) {
                return Err(format!("`{}` has the size {shape:?}; the limit is {MOST_NUMBERS} numbers", node.name));
            }
        }
    }
    Ok(())
}

/// Checks the number of multiplications.
fn check_work(model: &TypedModel) -> Result<(), String> {
    let mut work = 0_usize;
    for node in &model.nodes {
        let unknown = || format!("the work of `{}` is not known", node.name);
        let facts = model.node_input_facts(node.id).map_err(|_| unknown())?;
        for (cost, count) in node.op.cost(&facts).map_err(|_| unknown())? {
            if matches!(cost, Cost::FMA(_) | Cost::Div(_)) {
                let count = count.as_i64().and_then(|count| usize::try_from(count).ok()).ok_or_else(unknown)?;
                work = work.saturating_add(count);
            }
        }
    }
    if work > MOST_WORK {
        return Err(format!("the network multiplies {work} times a decision; the limit is {MOST_WORK}"));
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests;
