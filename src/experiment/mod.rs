/*!
From an experiment file to a folder of games: configuration, grid, seeds, when
to stop, the runner, records, chunk files, manifest, shards and how they are
dealt out, the self-check, merging and verifying; games played again, measured and judged. Imports `game`, `agents` and,
for exact values, `solver`.

Every game is a pure function of the master seed, its cell and its index, so
threads, shards and interruptions change no byte of the result; with an
external engine that is so if it is so of the engine. Nothing here prints,
reads the clock or exits.
*/

pub mod agreement;
mod blunders;
mod chunk;
mod config;
mod counts;
mod deal;
mod decisions;
mod endgames;
mod error;
mod files;
mod folder;
mod grid;
mod judge;
mod keeping;
mod lock;
mod manifest;
mod measures;
mod measures_file;
mod merge;
mod millionths;
mod one_game;
mod plain_words;
mod plan;
mod random_games;
mod record;
mod replayed;
mod runner;
mod seed;
mod selfcheck;
mod sequence;
mod shards;
mod source;
mod stopping;
mod transcript_json;
mod verify;

pub use blunders::{Fate, JudgedGame, Proof, ProvedMove, Prover};
pub use chunk::{ChunkFile, Tally, read_chunk, row};
pub use config::{Experiment, Match, Pairing};
pub use counts::{Counted, Counts};
pub use decisions::{CellDecision, decisions};
pub use endgames::Endgames;
pub use error::Error;
pub use files::{create_folder, temporary_name, unfinished, write_whole};
pub use folder::{Folder, Scan, present_chunks, recorded_row};
pub use grid::{Cell, Chunk, Grid, Shard};
pub use judge::{Course, JUDGE_NODES, LEAD, WinnersCourse, expected_score, expected_scores};
pub use keeping::{Keeping, played_rows};
pub use lock::{FolderLock, lock_folder};
pub use manifest::{Manifest, PLAY_REVISION, Program, SCHEMA, Status};
pub use measures::{GameMeasures, measure};
pub use measures_file::{MEASURES_FILE, measures_csv, read_measures};
pub use merge::{expect_shards_of, merge, missing_shards};
pub use millionths::Millionths;
pub use one_game::{Table, Transcript};
pub use plain_words::plain_words;
pub use record::{COLUMNS, GameRecord, MovesKey, Termination, Winner};
pub use replayed::{ReplayError, ReplayObserver, Replayed, replay};
pub use runner::{Observer, Outcome, RunOptions, run};
pub use selfcheck::{Checked, CheckedCell, Extent, selfcheck, selfcheck_hashes};
pub use sequence::Sequence;
pub use shards::Shards;
pub use source::{ConfigError, RulesSection, Source, read_toml};
pub use stopping::{Decision, StopRule, Until};
pub use transcript_json::transcript_json;
pub use verify::{Finding, MakeTables, Sample, Verified, verify};
