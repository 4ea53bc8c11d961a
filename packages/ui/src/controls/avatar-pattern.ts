/** FNV-1a, 32 bits: near ids give far values. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

const side = 5
/** Columns up to the middle one; the others mirror them. */
const half = 3

/** Cells `[x, y]`, 0 to 4, that are filled for `id`: the same each time, mirrored left and right, never none. */
export function patternOf(id: string): [x: number, y: number][] {
  const bits = hashOf(id)
  const cells: [number, number][] = []
  for (let at = 0; at < half * side; at += 1) {
    const [x, y] = [at % half, Math.floor(at / half)]
    // The middle always has one, so that no id is an empty circle.
    const isFilled = ((bits >>> at) & 1) === 1 || (x === half - 1 && y === half - 1)
    if (!isFilled) continue
    cells.push([x, y])
    if (x < half - 1) cells.push([side - 1 - x, y])
  }
  return cells
}
