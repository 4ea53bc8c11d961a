import { Counter, Gauge, type Registry } from 'prom-client'

/** What is measured of the vault. */
export interface MeasuredVault {
  all: {
    bytes: { live: number; reserved: number; trash: number }
    badFiles: number
    scrubLateSeconds: number
  }
  /** Undefined: this process is none. `answers`: by method and status, such as `GET 200`; `diskLeft`: null, no end. */
  here:
    | {
        bytes: { received: number; sent: number; scrubbed: number }
        answers: ReadonlyMap<string, number>
        diskLeft: number | null
      }
    | undefined
}

/** Registers the vault's measurements. `onFailure` is called for each that could not be taken. */
export function addVaultMetrics(registry: Registry, read: () => Promise<MeasuredVault>, onFailure: () => void): void {
  const registers = [registry]
  let reading: Promise<MeasuredVault> | undefined
  /** Starts over with one reading; all measurements of one answer are of the same. */
  function collect<M extends { reset(): void }>(show: (metric: M, measured: MeasuredVault) => void) {
    return async function (this: M): Promise<void> {
      this.reset()
      try {
        reading ??= read().finally(() => {
          reading = undefined
        })
        show(this, await reading)
      } catch {
        onFailure()
      }
    }
  }
  new Counter({
    name: 'atoll_vault_bytes_total',
    help: 'Bytes that this vault received, sent, and read again to see whether they are sound.',
    labelNames: ['direction'],
    registers,
    collect: collect((metric: Counter, { here }) => {
      for (const [direction, bytes] of Object.entries(here?.bytes ?? {})) metric.inc({ direction }, bytes)
    }),
  })
  new Counter({
    name: 'atoll_vault_answers_total',
    help: 'Answers of this vault.',
    labelNames: ['method', 'status'],
    registers,
    collect: collect((metric: Counter, { here }) => {
      for (const [key, count] of here?.answers ?? []) {
        const [method = '', status = ''] = key.split(' ')
        metric.inc({ method, status }, count)
      }
    }),
  })
  new Gauge({
    name: 'atoll_vault_disk_left_bytes',
    help: 'Bytes that may still come to the disk of this vault; at 0 or below uploads are refused.',
    registers,
    collect: collect((metric: Gauge, { here }) => {
      if (here && here.diskLeft !== null) metric.set(here.diskLeft)
    }),
  })
  new Gauge({
    name: 'atoll_vault_bytes',
    help: 'Bytes that all accounts hold, that are on their way, and that are trash.',
    labelNames: ['state'],
    registers,
    collect: collect((metric: Gauge, { all }) => {
      for (const [state, bytes] of Object.entries(all.bytes)) metric.set({ state }, bytes)
    }),
  })
  new Gauge({
    name: 'atoll_vault_bad_files',
    help: 'Files that are known to be damaged.',
    registers,
    collect: collect((metric: Gauge, { all }) => metric.set(all.badFiles)),
  })
  new Gauge({
    name: 'atoll_vault_scrub_late_seconds',
    help: 'How long the file that is due longest has waited to be read again.',
    registers,
    collect: collect((metric: Gauge, { all }) => metric.set(all.scrubLateSeconds)),
  })
}
