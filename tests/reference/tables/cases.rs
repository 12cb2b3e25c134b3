//! Small crafted games whose captures and endings were derived by hand from the rules document.
//!
//! Two lines a case: `# name`, then `rules | attackers / defenders / king | side to move: moves |
//! result reason`. A move names what it captures after it: `f5-f2xe2xf3`.

/// The king captured by each method, and where he is not.
pub const KING: &str = r#"
# two: between two attackers
{"king_capture": "two"} | d2 f5 / b6 / e2 | attackers: f5-f2xe2 | attackers king-captured
# two: the king walks between two attackers
{"king_capture": "two"} | d2 f2 / / e5 | defenders: e5-e2 | ongoing ongoing
# two: an attacker and a defender on opposite sides
{"king_capture": "two"} | f5 / d2 / e2 | attackers: f5-f2 | ongoing ongoing
# two: attackers at a right angle
{"king_capture": "two"} | e1 f5 / / e2 | attackers: f5-f2 | ongoing ongoing
# two: on the throne
{"king_capture": "two"} | c4 e7 / / d4 | attackers: e7-e4xd4 | attackers king-captured
# two: against the edge
{"king_capture": "two"} | b7 / / a4 | attackers: b7-b4 | ongoing ongoing
# two: along the edge
{"king_capture": "two", "king_edge": "safe"} | c1 e4 / / d1 | attackers: e4-e1xd1 | attackers king-captured
# two: against a corner hostile to everyone
{"corners_hostile": "everyone"} | c5 / / b1 | attackers: c5-c1xb1 | attackers king-captured
# two: against a corner hostile to soldiers
{"corners_hostile": "soldiers"} | c5 / / b1 | attackers: c5-c1 | ongoing ongoing
# two: against a corner hostile to nobody
{"corners_hostile": "none"} | c5 / / b1 | attackers: c5-c1 | ongoing ongoing
# two: against a corner, up the file
{} | b5 / / g6 | attackers: b5-g5xg6 | attackers king-captured
# two: against the empty throne, hostile to everyone
{"throne_hostile": "everyone"} | f7 / / e4 | attackers: f7-f4xe4 | attackers king-captured
# two: against the empty throne, hostile to soldiers
{"throne_hostile": "soldiers"} | f7 / / e4 | attackers: f7-f4 | ongoing ongoing
# two: against the empty throne, hostile to nobody
{"throne_hostile": "none"} | f7 / / e4 | attackers: f7-f4 | ongoing ongoing
# two: against an ordinary empty throne
{"throne": "ordinary"} | f7 / / e4 | attackers: f7-f4 | ongoing ongoing
# two: against an attacker on the ordinary throne
{"throne": "ordinary"} | d4 f7 / / e4 | attackers: f7-f4xe4 | attackers king-captured
# two: an attacker moves onto the ordinary throne
{"throne": "ordinary"} | d7 f4 / / e4 | attackers: d7-d4xe4 | attackers king-captured
# two: on the ordinary throne
{"throne": "ordinary"} | c4 e7 / / d4 | attackers: e7-e4xd4 | attackers king-captured
# two: beside the throne, across it
{"throne_hostile": "everyone"} | e3 e7 / / e4 | attackers: e7-e5xe4 | attackers king-captured
# throne: on the throne by two
{"king_capture": "throne"} | c4 e7 / / d4 | attackers: e7-e4 | ongoing ongoing
# throne: on the throne by four
{"king_capture": "throne"} | c4 d3 e4 d7 / / d4 | attackers: d7-d5xd4 | attackers king-captured
# throne: on the throne by three and a defender
{"king_capture": "throne"} | c4 d3 d7 / e4 / d4 | attackers: d7-d5 | ongoing ongoing
# throne: beside the throne, against it, hostile to everyone
{"king_capture": "throne"} | f7 / / e4 | attackers: f7-f4xe4 | attackers king-captured
# throne: beside the throne, against it, hostile to soldiers
{"king_capture": "throne", "throne_hostile": "soldiers"} | f7 / / e4 | attackers: f7-f4 | ongoing ongoing
# throne: beside the throne, between two
{"king_capture": "throne", "throne_hostile": "none"} | e3 e7 / / e4 | attackers: e7-e5xe4 | attackers king-captured
# throne: away from the throne
{"king_capture": "throne"} | d5 f7 / / e5 | attackers: f7-f5xe5 | attackers king-captured
# throne: against a corner
{"king_capture": "throne"} | c5 / / b1 | attackers: c5-c1xb1 | attackers king-captured
# zone: on the throne by two
{"king_capture": "zone"} | c4 e7 / / d4 | attackers: e7-e4 | ongoing ongoing
# zone: on the throne by three
{"king_capture": "zone"} | c4 d3 d7 / / d4 | attackers: d7-d5 | ongoing ongoing
# zone: on the throne by four
{"king_capture": "zone"} | c4 d3 e4 d7 / / d4 | attackers: d7-d5xd4 | attackers king-captured
# zone: beside the throne by three
{"king_capture": "zone"} | e3 e5 f7 / / e4 | attackers: f7-f4xe4 | attackers king-captured
# zone: beside a throne hostile to nobody by three
{"king_capture": "zone", "throne_hostile": "none"} | e3 e5 f7 / / e4 | attackers: f7-f4xe4 | attackers king-captured
# zone: beside a throne hostile to soldiers, below it
{"king_capture": "zone", "throne_hostile": "soldiers"} | c3 e3 g2 / / d3 | attackers: g2-d2xd3 | attackers king-captured
# zone: beside the throne, against it
{"king_capture": "zone"} | f7 / / e4 | attackers: f7-f4 | ongoing ongoing
# zone: beside the throne, between two
{"king_capture": "zone"} | e3 e7 / / e4 | attackers: e7-e5 | ongoing ongoing
# zone: beside the throne by two and a defender
{"king_capture": "zone"} | e3 f7 / e5 / e4 | attackers: f7-f4 | ongoing ongoing
# zone: diagonal to the throne is elsewhere
{"king_capture": "zone"} | d5 f7 / / e5 | attackers: f7-f5xe5 | attackers king-captured
# zone: against a corner
{"king_capture": "zone"} | c5 / / b1 | attackers: c5-c1xb1 | attackers king-captured
# four: in the open by four
{"king_capture": "four"} | d5 e6 f5 e2 / / e5 | attackers: e2-e4xe5 | attackers king-captured
# four: in the open by three
{"king_capture": "four"} | d5 f5 e2 / / e5 | attackers: e2-e4 | ongoing ongoing
# four: in the open by three and a defender
{"king_capture": "four"} | d5 f5 e2 / e6 / e5 | attackers: e2-e4 | ongoing ongoing
# four: surrounded before, the move made elsewhere
{"king_capture": "four"} | d5 e6 f5 e4 a2 / b6 / e5 | attackers: a2-a3 | ongoing ongoing
# four: on the throne by three
{"king_capture": "four"} | c4 d3 d7 / / d4 | attackers: d7-d5 | ongoing ongoing
# four: on the throne by four
{"king_capture": "four"} | c4 d3 e4 d7 / / d4 | attackers: d7-d5xd4 | attackers king-captured
# four: beside a throne hostile to everyone by three
{"king_capture": "four"} | e3 e5 f7 / / e4 | attackers: f7-f4xe4 | attackers king-captured
# four: beside a throne hostile to soldiers by three
{"king_capture": "four", "throne_hostile": "soldiers"} | e3 e5 f7 / / e4 | attackers: f7-f4 | ongoing ongoing
# four: beside a throne hostile to nobody by three
{"king_capture": "four", "throne_hostile": "none"} | e3 e5 f7 / / e4 | attackers: f7-f4 | ongoing ongoing
# four: beside an ordinary throne by three
{"king_capture": "four", "throne": "ordinary"} | e3 e5 f7 / / e4 | attackers: f7-f4 | ongoing ongoing
# four: beside an ordinary throne by four
{"king_capture": "four", "throne": "ordinary"} | d4 e3 e5 f7 / / e4 | attackers: f7-f4xe4 | attackers king-captured
# four: on the edge by three
{"king_capture": "four", "king_edge": "three"} | c1 e1 d3 / / d1 | attackers: d3-d2xd1 | attackers king-captured
# four: on the edge by two
{"king_capture": "four", "king_edge": "three"} | c1 e4 / / d1 | attackers: e4-e1 | ongoing ongoing
# four: safe on the edge
{"king_capture": "four", "king_edge": "safe"} | c1 e1 d3 / b6 / d1 | attackers: d3-d2 | ongoing ongoing
# four: safe on the edge, but no move
{"king_capture": "four", "king_edge": "safe"} | c1 e1 d3 / / d1 | attackers: d3-d2 | draw no-moves
# four: beside a corner hostile to everyone
{"king_capture": "four"} | c1 b4 / / b1 | attackers: b4-b2xb1 | attackers king-captured
# four: beside a corner hostile to soldiers
{"king_capture": "four", "corners_hostile": "soldiers"} | c1 b4 / / b1 | attackers: b4-b2 | ongoing ongoing
# four: beside a corner hostile to nobody
{"king_capture": "four", "corners_hostile": "none"} | c1 b4 / / b1 | attackers: b4-b2 | ongoing ongoing
# four: beside a hostile corner, safe on the edge
{"king_capture": "four", "king_edge": "safe"} | c1 b4 / / b1 | attackers: b4-b2 | ongoing ongoing
# the king and a soldier captured together
{} | d2 f4 g2 / f3 / e2 | attackers: g2-f2xe2xf3 | attackers king-captured
# the king captured, his soldiers left without him
{"king_capture": "two"} | d2 f5 / b3 b5 / e2 | attackers: f5-f2xe2 | attackers king-captured
"#;

/// Soldiers captured: hammer and anvil, hostile squares, several at once.
pub const SOLDIERS: &str = r#"
# an armed king is a hammer
{"king_armed": true} | d3 g5 / e3 / c6 | defenders: c6-c3xd3 | ongoing ongoing
# an unarmed king is no hammer
{"king_armed": false} | d3 g5 / e3 / c6 | defenders: c6-c3 | ongoing ongoing
# an armed king is an anvil
{"king_armed": true} | d3 g5 / e1 / c3 | defenders: e1-e3xd3 | ongoing ongoing
# an unarmed king is no anvil
{"king_armed": false} | d3 g5 / e1 / c3 | defenders: e1-e3 | ongoing ongoing
# an armed king is a hammer against a corner
{"king_armed": true} | b1 g5 / / c5 | defenders: c5-c1xb1 | ongoing ongoing
# an unarmed king is no hammer against a corner
{"king_armed": false} | b1 g5 / / c5 | defenders: c5-c1 | ongoing ongoing
# an armed king is a hammer against the empty throne
{"throne_hostile": "soldiers"} | e4 a2 / / f7 | defenders: f7-f4xe4 | ongoing ongoing
# an unarmed king is no hammer against the empty throne
{"king_armed": false} | e4 a2 / / f7 | defenders: f7-f4 | ongoing ongoing
# an armed king on the throne is an anvil though the throne is not hostile
{"throne_hostile": "none"} | e4 a2 / f7 / d4 | defenders: f7-f4xe4 | ongoing ongoing
# an unarmed king on a hostile throne is no anvil
{"king_armed": false} | e4 a2 / f7 / d4 | defenders: f7-f4 | ongoing ongoing
# the throne occupied by the king is not hostile to his soldier
{} | f7 / e4 / d4 | attackers: f7-f4 | ongoing ongoing
# the throne the king has left is hostile to his soldier at once
{} | f7 g2 / e4 / d4 | defenders: d4-d1 f7-f4xe4 | ongoing ongoing
# the throne the king has left is not hostile
{"throne_hostile": "none"} | f7 g2 / e4 / d4 | defenders: d4-d1 f7-f4 | ongoing ongoing
# the throne the king has left is hostile to an attacker
{"king_armed": false} | e4 g2 / f7 / d4 | defenders: d4-d1 g2-g3 f7-f4xe4 | ongoing ongoing
# the king back on the throne takes its hostility away
{"king_armed": false} | e4 g2 / f7 / d1 | defenders: d1-d4 g2-g3 f7-f4 | ongoing ongoing
# a soldier against the throne hostile to soldiers
{"throne_hostile": "soldiers"} | f7 / e4 / b2 | attackers: f7-f4xe4 | ongoing ongoing
# a soldier against an ordinary throne
{"throne": "ordinary"} | f7 / e4 / b2 | attackers: f7-f4 | ongoing ongoing
# a soldier against a corner hostile to soldiers
{"corners_hostile": "soldiers"} | c5 / b1 / g4 | attackers: c5-c1xb1 | ongoing ongoing
# a soldier against a corner hostile to nobody
{"corners_hostile": "none"} | c5 / b1 / g4 | attackers: c5-c1 | ongoing ongoing
# an attacker against a corner
{} | a6 g5 / d5 / f2 | defenders: d5-a5xa6 | ongoing ongoing
# a soldier against the edge
{} | b7 / a4 / g4 | attackers: b7-b4 | ongoing ongoing
# a soldier walks between two attackers
{} | a3 c3 / b6 / g4 | defenders: b6-b3 | ongoing ongoing
# an attacker walks between two defenders
{} | b6 g6 / a3 c3 / g4 | attackers: b6-b3 | ongoing ongoing
# a soldier who walked between is captured by the next move
{} | a3 d3 e7 / b6 c6 / g4 | defenders: b6-b3 d3-c3xb3 | ongoing ongoing
# three soldiers captured at once
{} | a3 e3 c5 c1 / b3 d3 c4 / g4 | attackers: c1-c3xb3xc4xd3 | ongoing ongoing
# two attackers captured at once, by the king and a soldier
{} | b3 d3 g5 / c1 e3 / a3 | defenders: c1-c3xb3xd3 | ongoing ongoing
# one attacker captured, the other stands before an unarmed king
{"king_armed": false} | b3 d3 g5 / c1 e3 / a3 | defenders: c1-c3xd3 | ongoing ongoing
# two soldiers in a row are not captured
{} | a3 d6 / b3 c3 / g4 | attackers: d6-d3 | ongoing ongoing
# two soldiers captured on opposite sides of the mover
{} | b3 d1 f3 / c3 e3 / g5 | attackers: d1-d3xc3xe3 | ongoing ongoing
"#;

/// The endings and their order.
pub const ENDINGS: &str = r#"
# escape along the edge
{} | d7 / / d1 | defenders: d1-a1 | defenders king-escaped
# escape up the edge
{} | d1 / / g4 | defenders: g4-g7 | defenders king-escaped
# escape from the throne's line
{} | b7 / / d4 | defenders: d4-d1 b7-b6 d1-g1 | defenders king-escaped
# escape from the throne along the rank
{} | b6 / e3 / d4 | defenders: d4-a4 b6-b5 a4-a7 | defenders king-escaped
# escape by a step
{"king_speed": "step"} | d7 / / c1 | defenders: c1-b1 d7-d6 b1-a1 | defenders king-escaped
# escape that captures
{} | b1 d7 / c1 / a4 | defenders: a4-a1xb1 | defenders king-escaped
# escape of an unarmed king captures nothing
{"king_armed": false} | b1 d7 / c1 / a4 | defenders: a4-a1 | defenders king-escaped
# escape that leaves the attackers no piece
{"no_moves": "draw"} | b1 / c1 / a4 | defenders: a4-a1xb1 | defenders king-escaped
# escape that leaves the attackers no move
{"no_moves": "draw"} | b1 / b2 c1 / a4 | defenders: a4-a1xb1 | defenders king-escaped
# escape of an unarmed king that leaves the attackers no move
{"king_armed": false, "no_moves": "draw"} | b1 / b2 c1 / a4 | defenders: a4-a1 | defenders king-escaped
# king captured, no defender left to move
{"no_moves": "draw"} | d2 f5 / / e2 | attackers: f5-f2xe2 | attackers king-captured
# king captured by the move that closes the ring
{"encirclement": true} | c4 d3 d5 e3 e5 f7 / / e4 | attackers: f7-f4xe4 | attackers king-captured
# encircled by the same move where the throne is not hostile
{"encirclement": true, "throne_hostile": "none"} | c4 d3 d5 e3 e5 f7 / / e4 | attackers: f7-f4 | attackers encircled
# encircled
{"encirclement": true} | c4 d3 d5 e3 e5 f7 / / d4 | attackers: f7-f4 | attackers encircled
# encirclement does not count
{"encirclement": false} | c4 d3 d5 e3 e5 f7 / / d4 | attackers: f7-f4 | ongoing ongoing
# encircled with a soldier inside
{"encirclement": true} | b4 c3 c5 d3 d5 e3 e5 f7 / c4 / d4 | attackers: f7-f4 | attackers encircled
# a soldier inside, encirclement does not count
{"encirclement": false} | b4 c3 c5 d3 d5 e3 e5 f7 / c4 / d4 | attackers: f7-f4 | ongoing ongoing
# encircled before having no move
{"encirclement": true, "no_moves": "draw"} | c4 d3 d5 e3 e5 f7 / e4 / d4 | attackers: f7-f4 | attackers encircled
# no move where encirclement does not count
{"encirclement": false, "no_moves": "draw"} | c4 d3 d5 e3 e5 f7 / e4 / d4 | attackers: f7-f4 | draw no-moves
# a defender on the edge prevents encirclement
{"encirclement": true} | c4 d3 d5 e3 e5 f7 / a3 / d4 | attackers: f7-f4 | ongoing ongoing
# a defender outside the ring prevents encirclement
{"encirclement": true} | c4 d3 d5 e3 e5 f7 / b2 / d4 | attackers: f7-f4 | ongoing ongoing
# a surrounded defender on the edge prevents encirclement
{"encirclement": true, "king_capture": "four"} | a3 a5 b7 c4 d3 d5 e4 / a4 / d4 | attackers: b7-b4 | draw no-moves
# encircled by capturing the last defender outside
{"encirclement": true} | c4 d3 d5 e3 e5 f4 a2 c1 / b2 / d4 | attackers: c1-c2xb2 | attackers encircled
# a defender in the gap of the ring does not close it
{"encirclement": true} | c4 d3 d5 e3 e5 g2 / e4 / d4 | attackers: g2-g3 | ongoing ongoing
# the empty throne in the gap of the ring does not close it
{"encirclement": true, "throne_pass": "nobody", "king_return": false} | e3 e5 f4 g2 / / e4 | attackers: g2-g3 | draw no-moves
# a ring that stood before the defenders' move is not judged by it
{"encirclement": true} | c4 d3 d5 e3 e5 f4 a2 / / d4 | defenders: d4-e4 | ongoing ongoing
# a ring that stood is judged after the attackers' move
{"encirclement": true} | c4 d3 d5 e3 e5 f4 a2 / / d4 | defenders: d4-e4 a2-a3 | attackers encircled
# a ring around a corner reaches the edge
{"encirclement": true} | a3 b3 c2 d5 / / b2 | attackers: d5-d1 | ongoing ongoing
# defenders without a move: draw
{"no_moves": "draw"} | a3 a5 b4 g2 / / a4 | attackers: g2-g3 | draw no-moves
# defenders without a move: they lose
{"no_moves": "loses"} | a3 a5 b4 g2 / / a4 | attackers: g2-g3 | attackers no-moves
# attackers without a move: draw
{"no_moves": "draw"} | a4 / a3 a5 b4 / g2 | defenders: g2-g3 | draw no-moves
# attackers without a move: they lose
{"no_moves": "loses"} | a4 / a3 a5 b4 / g2 | defenders: g2-g3 | defenders no-moves
# attackers without a piece: draw
{"no_moves": "draw"} | d3 / c1 e3 / g4 | defenders: c1-c3xd3 | draw no-moves
# attackers without a piece: they lose
{"no_moves": "loses"} | d3 / c1 e3 / g4 | defenders: c1-c3xd3 | defenders no-moves
# attackers without a move at the start: draw
{"no_moves": "draw"} | a4 / a3 a5 b4 / g2 | attackers: | draw no-moves
# attackers without a move at the start: they lose
{"no_moves": "loses"} | a4 / a3 a5 b4 / g2 | attackers: | defenders no-moves
# defenders without a move at the start: they lose
{"no_moves": "loses"} | a3 a5 b4 / / a4 | defenders: | attackers no-moves
# a soldier shut in against a corner has no move
{"no_moves": "loses"} | a2 / a3 b2 / g4 | defenders: g4-g5 | defenders no-moves
# the king shut in against a corner may enter it
{"no_moves": "loses", "king_capture": "four"} | a3 b2 g4 / / a2 | attackers: g4-g5 | ongoing ongoing
# shut in against a throne that nobody passes and the king may not enter
{"throne_pass": "nobody", "king_return": false} | e3 e5 f4 a2 / / e4 | attackers: a2-a3 | draw no-moves
# shut in against a throne that nobody passes but the king may enter
{"throne_pass": "nobody", "king_return": true} | e3 e5 f4 a2 / / e4 | attackers: a2-a3 | ongoing ongoing
# shut in against a throne that the king may pass but not enter
{"throne_pass": "king", "king_return": false} | e3 e5 f4 a2 / / e4 | attackers: a2-a3 | ongoing ongoing
# shut in against a throne that the king may pass, with no room behind it
{"throne_pass": "king", "king_return": false} | c4 e3 e5 f4 a2 / / e4 | attackers: a2-a3 | draw no-moves
# a stepping king cannot step over the throne
{"king_speed": "step", "king_return": false} | e3 e5 f4 a2 / / e4 | attackers: a2-a3 | draw no-moves
# a stepping king may step on the throne
{"king_speed": "step", "king_return": true} | e3 e5 f4 a2 / / e4 | attackers: a2-a3 | ongoing ongoing
# an attacker shut in against a throne that only the king passes
{"throne_pass": "king", "no_moves": "loses"} | d5 / c5 e5 d6 / g4 | defenders: g4-g3 | defenders no-moves
# an attacker shut in against a throne that everyone passes
{"throne_pass": "everyone", "no_moves": "loses"} | d5 / c5 e5 d6 / g4 | defenders: g4-g3 | ongoing ongoing
# an attacker beside an ordinary throne is not shut in
{"throne": "ordinary", "no_moves": "loses"} | d5 / c5 e5 d6 / g4 | defenders: g4-g3 | ongoing ongoing
# repetition, twice: one ply short
{"repetition": {"count": 2, "result": "draw"}} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 | ongoing ongoing
# repetition, twice: draw
{"repetition": {"count": 2, "result": "draw"}} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 d3-d2 | draw repetition
# repetition, twice: attackers
{"repetition": {"count": 2, "result": "attackers"}} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 d3-d2 | attackers repetition
# repetition, twice: defenders
{"repetition": {"count": 2, "result": "defenders"}} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 d3-d2 | defenders repetition
# repetition, twice: the mover loses, a defender
{"repetition": {"count": 2, "result": "mover-loses"}} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 d3-d2 | attackers repetition
# repetition, twice: the mover loses, an attacker
{"repetition": {"count": 2, "result": "mover-loses"}} | g3 / / d2 | defenders: d2-d3 g3-g4 d3-d2 g4-g3 | defenders repetition
# repetition, twice: a position after the start
{"repetition": {"count": 2, "result": "mover-loses"}} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g5 d3-d2 g5-g4 | defenders repetition
# repetition, twice: the same pieces, the other side to move
{"repetition": {"count": 2, "result": "draw"}} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g5 d3-d2 g5-g3 | ongoing ongoing
# repetition, twice: two attackers have changed places
{"repetition": {"count": 2, "result": "draw"}} | f2 g3 / / b4 | attackers: f2-f3 b4-b5 g3-g2 b5-b4 f3-g3 b4-b5 g2-f2 b5-b4 | draw repetition
# repetition, twice: fewer pieces are another position
{"repetition": {"count": 2, "result": "draw"}} | b1 f3 / / c1 | attackers: f3-f4 c1-c2 f4-f3 c2-c1xb1 | ongoing ongoing
# repetition, three times: two standings
{"repetition": {"count": 3, "result": "draw"}} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 d3-d2 | ongoing ongoing
# repetition, three times: one ply short
{} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 d3-d2 g3-g4 d2-d3 g4-g3 | ongoing ongoing
# repetition, three times: draw
{} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 d3-d2 g3-g4 d2-d3 g4-g3 d3-d2 | draw repetition
# repetition, three times: not in a row
{} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 d3-d2 g3-g5 d2-d5 g5-g3 d5-d2 | draw repetition
# repetition, three times: attackers
{"repetition": {"count": 3, "result": "attackers"}} | g3 / / d2 | defenders: d2-d3 g3-g4 d3-d2 g4-g3 d2-d3 g3-g4 d3-d2 g4-g3 | attackers repetition
# repetition, four times: three standings
{"repetition": {"count": 4, "result": "defenders"}} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 d3-d2 g3-g4 d2-d3 g4-g3 d3-d2 | ongoing ongoing
# repetition, four times: defenders
{"repetition": {"count": 4, "result": "defenders"}} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 d3-d2 g3-g4 d2-d3 g4-g3 d3-d2 g3-g4 d2-d3 g4-g3 d3-d2 | defenders repetition
# repetition ignored
{"repetition": "ignored"} | g3 / / d2 | attackers: g3-g4 d2-d3 g4-g3 d3-d2 g3-g4 d2-d3 g4-g3 d3-d2 g3-g4 d2-d3 g4-g3 d3-d2 | ongoing ongoing
"#;
