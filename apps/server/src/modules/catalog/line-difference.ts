/** Two texts as lines that stayed, left and came, as `diff` shows them. */
export interface DifferentLine {
  kind: 'same' | 'gone' | 'new'
  text: string
}

/** So many lines around a change are shown. */
const around = 3
/** Above so many pairs of lines the middle is shown as replaced: comparing each would take seconds. */
const mostPairs = 4_000_000

/** All lines of both, each once. */
export function differenceOf(before: string, after: string): DifferentLine[] {
  const a = before.split('\n')
  const b = after.split('\n')
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1
  const same = (lines: readonly string[]) => lines.map((text): DifferentLine => ({ kind: 'same', text }))
  return [
    ...same(a.slice(0, head)),
    ...middleOf(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ]
}

/** By the longest common subsequence. */
function middleOf(a: readonly string[], b: readonly string[]): DifferentLine[] {
  const gone = (text: string): DifferentLine => ({ kind: 'gone', text })
  const come = (text: string): DifferentLine => ({ kind: 'new', text })
  if (a.length * b.length > mostPairs) return [...a.map(gone), ...b.map(come)]
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width)
  const at = (row: number, column: number) => longest[row * width + column] ?? 0
  for (let row = a.length - 1; row >= 0; row -= 1)
    for (let column = b.length - 1; column >= 0; column -= 1)
      longest[row * width + column] =
        a[row] === b[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: DifferentLine[] = []
  let row = 0
  let column = 0
  while (row < a.length && column < b.length) {
    const [mine = '', theirs = ''] = [a[row], b[column]]
    if (mine === theirs) {
      lines.push({ kind: 'same', text: mine })
      row += 1
      column += 1
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      lines.push(gone(mine))
      row += 1
    } else {
      lines.push(come(theirs))
      column += 1
    }
  }
  return [...lines, ...a.slice(row).map(gone), ...b.slice(column).map(come)]
}

/** The changed lines with a few around them; null stands for lines that are left out. */
export function shownDifference(lines: readonly DifferentLine[]): (DifferentLine | null)[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ kind }) => kind !== 'same'),
  )
  return lines.flatMap((line, at) => {
    if (isNear[at]) return [line]
    return isNear[at - 1] ? [null] : []
  })
}

/** The same as text: `-` before what left, `+` before what came. */
export function differenceText(before: string, after: string): string {
  const signs = { same: ' ', gone: '-', new: '+' }
  return shownDifference(differenceOf(before, after))
    .map((line) => (line === null ? '…' : `${signs[line.kind]} ${line.text}`))
    .join('\n')
}
