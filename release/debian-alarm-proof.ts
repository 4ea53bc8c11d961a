/**
 * On the machine of debian-proof.ts: the operator gets a mail when the worker stops, and a missed heartbeat is seen
 * from outside.
 */
import assert from 'node:assert/strict'
import { until } from '@atoll/testkit'

interface Proof {
  prove(sentence: string, proof: () => Promise<string | undefined>): Promise<void>
  on(program: string, ...args: string[]): Promise<string>
  version: string
}

/** Writes a line for each request. */
const listener = `require('node:http').createServer((request, response) => {
  require('node:fs').appendFileSync('/var/tmp/heartbeats', 'asked\\n')
  response.end()
}).listen(4899, '127.0.0.1')`

/** A look a minute, after a minute of silence of the queue. */
const patience = { timeoutMs: 300_000, intervalMs: 1000 }

export async function proveAlarms({ prove, on, version }: Proof): Promise<void> {
  const count = async (command: string) => Number(await on('sh', '-c', `${command} | wc -l`))
  const heartbeats = () => count('cat /var/tmp/heartbeats 2>/dev/null')
  const mails = (subject: string) => count(`grep -l '^Subject: .*${subject}' /var/lib/atoll/outbox/*.eml 2>/dev/null`)
  await prove('a worker that stops is told by the api once, and so is its end; heartbeats rest meanwhile', async () => {
    const node = `/usr/lib/atoll/versions/${version}/node/bin/node`
    await on('systemd-run', '--quiet', '--unit=listener', node, '-e', listener)
    const told = 'ATOLL_OPERATOR_EMAIL=operator@atoll.test\\nATOLL_HEARTBEAT_URL=http://127.0.0.1:4899/\\n'
    await on('sh', '-ec', `printf '${told}' >> /etc/atoll/atoll.env; atollctl restart`)
    await until('a heartbeat came', async () => (await heartbeats()) > 0, patience)
    const began = performance.now()
    await on('systemctl', 'stop', 'atoll@worker')
    await until('the operator was told', async () => (await mails('critical: worker')) === 1, patience)
    const seconds = Math.round((performance.now() - began) / 1000)
    const rested = await heartbeats()
    await on('systemctl', 'start', 'atoll@worker')
    await until('the end was told', async () => (await mails('well again: worker')) === 1, patience)
    await until('heartbeats go on', async () => (await heartbeats()) > rested, patience)
    assert.equal(await mails('critical: worker'), 1)
    return `told after ${seconds} s`
  })
}
