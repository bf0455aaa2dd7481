//! Conflict-free schedules of collective communications on any network, verified and certified.
//!
//! ```
//! let problem = quadrille::problem("torus:4x4", "alltoall")?;
//! let outcome = quadrille::solve(&problem, &quadrille::Settings::seconds(5.0))?;
//! assert_eq!(outcome.to_string(), "alltoall on torus:4x4: 8 steps, lower bound 8: optimal");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Problem`] is a [`Network`], a [`Collective`] and a [`Model`] of what a step may do. [`solve`] gives an [`Outcome`]: a certified
//! lower bound and the best verified schedule, why the search stopped, and what each method did. Whatever can be wrong is a *claim*
//! ([`Schedule`], [`Certificate`]); the checkers [`verify`] and [`certify`] are the only ways to the *facts* [`Verified`] and
//! [`Certified`], which a [`Verdict`] joins.
//!
//! ```
//! use quadrille::{Collective, Model, Network, Node, Problem, Settings};
//! let network = Network::from_links(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)])?;
//! let scatter = Collective::scatter(Node(0), network.terminals());
//! let problem = Problem::new(network, scatter, Model::wormhole())?;
//! let outcome = quadrille::solve(&problem, &Settings::default())?;
//! assert_eq!((outcome.steps(), outcome.is_optimal()), (Some(3), true));
//! for sent in outcome.transfers() {
//!     println!("step {}: {} to {} by {:?}", sent.step, sent.from, sent.to, sent.path);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod pose;

pub use atlas;
pub use collectives;
pub use constructions;
pub use design;
pub use exports;
pub use formats;
pub use identify;
pub use kernel;
pub use machine;
pub use routing;
pub use topologies;

pub use kernel::{
    Certificate, Certified, Channel, Collective, Message, Model, Network, Node, Problem, Rejected, Schedule, Switching,
    Verdict, Verified, certify, verify,
};
pub use methods::{
    Ended, EveryBound, METHODS, Outcome, Overtaking, PrintedBound, Proved, Report, Settings, SizedError, SizedProblem,
    SolveError, Standing, Stopped, TIMED_METHODS, TimedBest, TimedEnded, TimedOutcome, TimedReport, TimedSettings,
    TimedSolveError, TunedSize, Tuning, Watch, bound, bound_timed, every_bound, method, serve, solve, solve_timed,
    solve_watched, timed_method, tune,
};
pub use pose::{PoseError, network, problem};
pub use run::{Method, Progress, Silent, TimedMethod};
