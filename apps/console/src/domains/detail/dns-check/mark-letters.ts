/** Which letters of a value differ from those it should have: pure. */

export interface Part {
  text: string
  differs: boolean
}

/** Letters that are kept at each side of the first and the last one that differ. */
const around = 7

/** Both values in parts, those that differ marked; long equal stretches are left out with an ellipsis. */
export function markLetters(found: string, expected: string): { found: Part[]; expected: Part[] } {
  const steps = align([...found], [...expected])
  return {
    found: shorten(join(steps.map(({ from, to }) => ({ letter: from, differs: from !== to })))),
    expected: shorten(join(steps.map(({ from, to }) => ({ letter: to, differs: from !== to })))),
  }
}

/** Of `expected`, the value that `found` is most likely meant to be. */
export function nearestOf(found: string, expected: readonly string[]): string | undefined {
  const away = (one: string) => align([...found], [...one]).filter(({ from, to }) => from !== to).length
  return expected.toSorted((a, b) => away(a) - away(b))[0]
}

interface Step {
  /** Undefined: a letter is missing on this side. */
  from: string | undefined
  to: string | undefined
}

/** The fewest changes that make one of the other (Levenshtein), letter by letter. */
function align(from: readonly string[], to: readonly string[]): Step[] {
  const costs = [Array.from({ length: to.length + 1 }, (_, index) => index)]
  const cost = (row: number, column: number) => costs[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row]
    costs.push(line)
    for (let column = 1; column <= to.length; column += 1) {
      const changed = cost(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      line.push(Math.min(changed, cost(row - 1, column) + 1, cost(row, column - 1) + 1))
    }
  }
  const steps: Step[] = []
  let [row, column] = [from.length, to.length]
  while (row > 0 || column > 0) {
    const isEqual = row > 0 && column > 0 && from[row - 1] === to[column - 1]
    const here = cost(row, column)
    if (row > 0 && column > 0 && here === cost(row - 1, column - 1) + (isEqual ? 0 : 1)) {
      steps.push({ from: from[row - 1], to: to[column - 1] })
      row -= 1
      column -= 1
    } else if (row > 0 && here === cost(row - 1, column) + 1) {
      steps.push({ from: from[row - 1], to: undefined })
      row -= 1
    } else {
      steps.push({ from: undefined, to: to[column - 1] })
      column -= 1
    }
  }
  return steps.toReversed()
}

function join(letters: readonly { letter: string | undefined; differs: boolean }[]): Part[] {
  const parts: Part[] = []
  for (const { letter, differs } of letters) {
    if (letter === undefined) continue
    const last = parts.at(-1)
    if (last?.differs === differs) last.text += letter
    else parts.push({ text: letter, differs })
  }
  return parts
}

function shorten(parts: readonly Part[]): Part[] {
  return parts.map(({ text, differs }, index) => {
    const keepsStart = index > 0
    const keepsEnd = index < parts.length - 1
    const most = around * (Number(keepsStart) + Number(keepsEnd))
    if (differs || parts.length === 1 || text.length <= most + 1) return { text, differs }
    const start = keepsStart ? text.slice(0, around) : ''
    const end = keepsEnd ? text.slice(-around) : ''
    return { text: `${start}…${end}`, differs }
  })
}
