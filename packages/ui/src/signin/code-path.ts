/** Square modules of a two-dimensional code. */
interface Modules {
  readonly size: number
  /** Whether the module is dark. */
  get(x: number, y: number): boolean
}

/**
 * SVG path of the dark modules, each 1 × 1: one rectangle for every run in a row. lean-qr's own traces outlines, which
 * takes a slow processor much longer, at the first call thirty times, and gives a longer path.
 */
export function codePath(code: Modules): string {
  let path = ''
  for (let y = 0; y < code.size; y += 1) {
    let x = 0
    while (x < code.size) {
      const from = x
      while (x < code.size && code.get(x, y)) x += 1
      if (x > from) path += `M${from} ${y}h${x - from}v1h${from - x}z`
      else x += 1
    }
  }
  return path
}
