/** A strict reader of OpenMetrics text 1.0, for tests: refuses what the format does not allow. */
interface Family {
  type: string
  help?: string
  unit?: string
  samples: { name: string; labels: Record<string, string>; value: number }[]
}

const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`
const sampleLine = new RegExp(String.raw`^([a-zA-Z_:][\w:]*)(?:\{((?:${label}(?:,${label})*)?)\})? (\S+)$`)
const metadataLine = /^# (TYPE|HELP|UNIT) ([a-zA-Z_:][\w:]*) (.+)$/
const types = ['gauge', 'counter', 'info', 'stateset', 'histogram', 'gaugehistogram', 'summary', 'unknown']

export function parseOpenMetrics(text: string): Map<string, Family> {
  const lines = text.split('\n')
  if (lines.pop() !== '' || lines.pop() !== '# EOF') throw new Error('the text does not end with # EOF and a line feed')
  const families = new Map<string, Family>()
  let current: [name: string, family: Family] | undefined
  const seen = new Set<string>()
  for (const line of lines) {
    const [, word, named = '', rest = ''] = metadataLine.exec(line) ?? []
    if (word !== undefined) {
      if (current?.[0] !== named) {
        if (families.has(named)) throw new Error(`the family ${named} is not in one piece`)
        current = [named, { type: 'unknown', samples: [] }]
        families.set(...current)
      }
      const [, family] = current
      if (family.samples.length > 0) throw new Error(`${line} comes after samples`)
      if (word === 'TYPE' && !types.includes(rest)) throw new Error(`${rest} is no type`)
      if (word === 'UNIT' && !named.endsWith(`_${rest}`)) throw new Error(`${named} does not end in its unit ${rest}`)
      family[word === 'TYPE' ? 'type' : word === 'HELP' ? 'help' : 'unit'] = rest
      continue
    }
    const [, name, labelText = '', value = ''] = sampleLine.exec(line) ?? []
    if (name === undefined) throw new Error(`no line of OpenMetrics: ${line}`)
    if (current?.[0] !== name) throw new Error(`${name} has no metadata before it`)
    const key = `${name} ${labelText}`
    if (seen.has(key)) throw new Error(`${key} comes twice`)
    seen.add(key)
    if (Number.isNaN(Number(value))) throw new Error(`${value} is no number`)
    current[1].samples.push({ name, labels: readLabels(labelText), value: Number(value) })
  }
  return families
}

function readLabels(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)]
  return Object.fromEntries(
    pairs.map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c))]),
  )
}
