//! **What:** the engine `bundles`: where transfers may combine messages, all messages of an origin travel as one.
//!
//! **Idea.** Whatever an origin has for several receivers can leave it together, since a transfer carries any number of
//! messages; so the messages of each origin become one token for all of their receivers. A scatter becomes a broadcast and
//! alltoall becomes allgather, which the other engines solve; then each message goes the way its token takes to its receiver,
//! and tokens are opened where their ways part. Gather is the scatter run backwards (`reversal`).
//!
//! **Facts.** Both problems have schedules of the same numbers of steps: a token's way can be taken by all of its messages,
//! and a way for each message is one for the token.
//!
//! **Loses** nothing by the exchange itself. It applies where an origin has several messages.
//!
//! **Source:** the spanning binomial tree of one-to-all personalised communication (Johnsson and Ho 1989), for any broadcast.

use crate::nested::{better_but, told};
use kernel::{Problem, Schedule};
use run::{Method, Run};
use search::transform::{bundles, tokens, unbundle};

/// The engine.
pub struct Aggregation;

const NAME: &str = "aggregation";

impl Method for Aggregation {
    fn name(&self) -> &'static str {
        NAME
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["bundles"]
    }

    fn about(&self) -> &'static str {
        "combining: all messages of an origin travel as one, as in a broadcast or allgather"
    }

    fn source(&self) -> &'static str {
        "S. L. Johnsson, C.-T. Ho, Optimum broadcasting and personalized communication in hypercubes, 1989"
    }

    fn applies(&self, problem: &Problem) -> bool {
        bundles(problem)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let tokens = tokens(problem)?;
        let solution = better_but(told(&tokens, run), &[NAME], &tokens, floor, run)?;
        Some(unbundle(problem, &tokens, &*solution.expanded().ok()?))
    }
}
