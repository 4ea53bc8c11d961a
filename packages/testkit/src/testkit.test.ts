import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyJws } from '@atoll/did'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createScriptedWallet,
  createSignInCode,
  createTestClock,
  encodeForm,
  findFreePorts,
  findInstanceFolder,
  forgedSignIns,
  holdPort,
  listInstanceFolders,
  listInstances,
  until,
} from './index.ts'

describe('the scripted wallet', () => {
  test('has the DID that LarePass makes of the same words', () => {
    const mnemonic = `${'abandon '.repeat(11)}about`
    expect(createScriptedWallet({ mnemonic }).did).toBe('did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2')
  })

  test.each(['scan', 'linking'] as const)('signs what the code asks for, in the %s body', async (shape) => {
    const wallet = createScriptedWallet()
    const code = createSignInCode('http://localhost:1')
    const body = wallet.approval(wallet.read(code.text), shape)
    const { payload } = await verifyJws(body.jws, { did: wallet.did })
    expect(payload).toMatchObject({ secret: code.secret, iss: wallet.kid })
    expect('body' in body).toBe(shape === 'linking')
    expect('secret' in body).toBe(shape === 'scan')
  })

  test('forges nothing twice', () => {
    const wallet = createScriptedWallet()
    const bodies = forgedSignIns.map((forgery) => forgery.body(wallet, 'http://localhost:1').jws)
    expect(new Set(bodies).size).toBe(forgedSignIns.length)
  })
})

test('encodeForm writes nested values in brackets and leaves out what is not there', () => {
  expect(decodeURIComponent(encodeForm({ a: { b: [1, { c: 'x y' }] }, d: undefined, e: true }))).toBe(
    'a[b][0]=1&a[b][1][c]=x+y&e=true',
  )
})

test('the test clock moves only when told to', () => {
  const clock = createTestClock(new Date(1000))
  clock.advance(500)
  expect(clock.now().getTime()).toBe(1500)
  clock.set(new Date(7))
  expect(clock.now().getTime()).toBe(7)
})

describe('until', () => {
  test('returns the first answer that is one', async () => {
    let asked = 0
    expect(await until('three', () => (++asked < 3 ? undefined : asked), { intervalMs: 1 })).toBe(3)
  })

  test('says what it waited for and why it is not so', async () => {
    const never = until('a miracle', () => Promise.reject(new Error('no')), { timeoutMs: 5, intervalMs: 1 })
    await expect(never).rejects.toMatchObject({
      message: expect.stringContaining('a miracle'),
      cause: { message: 'no' },
    })
  })
})

test('free ports are given once, and not by the system to somebody else; a held one is taken', async () => {
  const ports = [...(await findFreePorts(200)), ...(await findFreePorts(200))]
  expect(new Set(ports).size).toBe(400)
  const handedOut = Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/)[0])
  expect(Math.max(...ports)).toBeLessThan(handedOut)
  const holder = await holdPort(ports[0])
  await expect(holdPort(holder.port)).rejects.toThrow(/EADDRINUSE/)
  await holder.release()
  // A name server listens on UDP too.
  const socket = createSocket('udp4').bind({ port: holder.port, address: '127.0.0.1', exclusive: true })
  await once(socket, 'listening')
  socket.close()
})

describe('listInstances', () => {
  const children: ChildProcess[] = []
  const folders: string[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })

  test('finds the agents of one data folder, and no other process', async () => {
    const root = mkdtempSync(join(tmpdir(), 'atoll-testkit-'))
    folders.push(root)
    const program = join(root, 'apps', 'agent', 'src', 'main.ts')
    mkdirSync(join(program, '..'), { recursive: true })
    writeFileSync(program, 'setInterval(() => undefined, 1000)')
    const start = (home: string, file = program) => {
      const child = spawn(process.execPath, [file], { env: { ATOLL_AGENT_HOME: home }, stdio: 'ignore' })
      children.push(child)
      return child.pid
    }
    const dataDir = join(root, 'data')
    mkdirSync(join(dataDir, 'instances', 'in_one'), { recursive: true })
    const pid = start(join(dataDir, 'instances', 'in_one'))
    start(join(root, 'data-of-another', 'instances', 'in_two'))
    const other = join(root, 'other.ts')
    writeFileSync(other, 'setInterval(() => undefined, 1000)')
    start(join(dataDir, 'instances', 'in_three'), other)
    await until('all three run', () => children.every((child) => child.pid !== undefined))
    await until('the agent shows', () => listInstances(dataDir).length > 0)
    expect(listInstances(dataDir)).toEqual([{ pid, instanceId: 'in_one', home: join(dataDir, 'instances', 'in_one') }])
    expect(listInstanceFolders(dataDir)).toEqual(['in_one'])
    const ofRoot = join(dataDir, 'homes', 'here', 'instances', 'in_four')
    mkdirSync(ofRoot, { recursive: true })
    expect(listInstanceFolders(dataDir).sort()).toEqual(['in_four', 'in_one'])
    expect(findInstanceFolder(dataDir, 'in_four')).toBe(ofRoot)
    expect(listInstanceFolders(join(root, 'nowhere'))).toEqual([])
  })
})
