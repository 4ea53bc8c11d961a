/** Which two of twelve words are asked back: positions from 1, different, in order. `random` gives 0 ≤ x < 1. */
export function pickCheckPositions(random: () => number = Math.random): [number, number] {
  const first = 1 + Math.floor(random() * 12)
  // One of the other eleven.
  const second = 1 + ((first + Math.floor(random() * 11)) % 12)
  return first < second ? [first, second] : [second, first]
}
