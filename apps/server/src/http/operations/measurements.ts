/** Measurements that are read when somebody asks for them. */
import { Counter, Gauge, type Registry } from 'prom-client'

/** Each with the values of its labels. */
export type Figures = readonly (readonly [value: number, labels?: Readonly<Record<string, string>>])[]

export interface Measurement {
  /** Default: a gauge. */
  isCounter?: boolean
  name: string
  help: string
  labelNames?: string[]
  /** A label set that is left out has no value now. One that throws counts as a measurement that could not be taken. */
  read(): Figures | Promise<Figures>
}

/** Registers `measurements`; `onFailure` is called whenever one cannot be taken. */
export function addMeasurements(registry: Registry, measurements: readonly Measurement[], onFailure: () => void): void {
  for (const { isCounter = false, name, help, labelNames = [], read } of measurements) {
    const Kind = isCounter ? Counter : Gauge
    new Kind({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        let figures: Figures = []
        try {
          figures = await read()
        } catch {
          // The others are still useful; that the database is away, /readyz says.
          onFailure()
        }
        this.reset()
        // One without labels would be 0 from here on.
        if (labelNames.length === 0) this.remove()
        for (const [value, labels = {}] of figures) this.inc(labels, value)
      },
    })
  }
}

/** Each count with its name as the value of `label`. */
export function byLabel(label: string, counts: Readonly<Record<string, number>>): Figures {
  return Object.entries(counts).map(([name, count]) => [count, { [label]: name }])
}
