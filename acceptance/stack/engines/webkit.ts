import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { findFreePorts, otherBrowsers, until } from '@atoll/testkit'
import { desktop } from '../browser.ts'
import type { Engine, Tab } from './tab.ts'

/** A call of WebDriver (https://www.w3.org/TR/webdriver2): a path below the session's, and its parameters. */
type Call = (path: string, parameters?: object, method?: 'GET' | 'POST') => Promise<unknown>

/**
 * Debian's WebKitGTK, over its WebDriver, on a display of its own: it has no headless mode. Its pages are in English:
 * its language would be that of a locale which the system need not have.
 */
export async function launchWebkit(): Promise<Engine> {
  const display = spawn(
    otherBrowsers.display,
    ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  )
  const started = [display]
  const end = async () => {
    for (const program of started.toReversed()) await endOf(program)
  }
  try {
    const number = await displayNumberOf(display)
    const [port = 0] = await findFreePorts(1)
    const env = { ...process.env, DISPLAY: `:${number}`, LANG: 'C.UTF-8' }
    started.push(spawn(otherBrowsers.webkitDriver, [`--port=${port}`], { stdio: 'ignore', env }))
    const send = senderTo(`http://127.0.0.1:${port}`)
    await until('WebKitWebDriver answers', () => send('GET', '/status'))
    const { sessionId } = (await send('POST', '/session', { capabilities: {} })) as { sessionId: string }
    const call: Call = (path, parameters, method = 'POST') => send(method, `/session/${sessionId}/${path}`, parameters)
    return {
      async openTab() {
        const { handle } = (await call('window/new', { type: 'window' })) as { handle: string }
        await call('window', { handle })
        await call('window/rect', { x: 0, y: 0, ...desktop })
        return tabOf(call, handle)
      },
      async [Symbol.asyncDispose]() {
        await send('DELETE', `/session/${sessionId}`)
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

function senderTo(origin: string) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(origin + path, { method, body: body ? JSON.stringify(body) : null })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
}

function tabOf(callSession: Call, handle: string): Tab {
  /** The session has one tab at a time. */
  const call: Call = async (...rest) => {
    await callSession('window', { handle })
    return await callSession(...rest)
  }
  const act = (type: string, actions: object[]) => call('actions', { actions: [{ type, id: type, actions }] })
  return {
    async open(url) {
      await call('url', { url })
    },
    evaluate: (expression) => call('execute/sync', { script: `return ${expression}`, args: [] }),
    async pressAt(x, y) {
      const buttons = [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await act('pointer', [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }, ...buttons])
    },
    async type(text) {
      await act(
        'key',
        [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))),
      )
    },
    async bringToFront() {
      await callSession('window', { handle })
    },
    takePicture: async () => Buffer.from(String(await call('screenshot', undefined, 'GET')), 'base64'),
  }
}

async function displayNumberOf(display: ChildProcess): Promise<string> {
  // The pipe that `-displayfd` names; Xvfb writes to it when it is ready.
  const [line] = await once(createInterface(display.stdio[3] as Readable), 'line')
  return String(line)
}

async function endOf(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'exit')
  program.kill()
  await ended
}
