import { expect, it } from 'vitest'
import { isLoopback } from './is-loopback.ts'

const commandAt = (origin: string) => `curl -fsSL ${origin}/enroll.sh | ATOLL_ENROLL_TOKEN=abc sh`

it.each(['http://localhost:4800', 'http://atoll.localhost:4800', 'http://127.0.0.1:4800', 'http://[::1]:4800'])(
  'no other machine reaches %s',
  (origin) => expect(isLoopback(commandAt(origin))).toBe(true),
)

it.each(['http://192.0.2.7:4800', 'https://atoll.example', 'https://localhost.example', 'http://[2001:db8::1]'])(
  'another machine may reach %s',
  (origin) => expect(isLoopback(commandAt(origin))).toBe(false),
)
