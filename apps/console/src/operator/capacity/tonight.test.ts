import { expect, test } from 'vitest'
import { tonight } from './tonight.ts'

const utc = (day: number, time: string) => Date.parse(`2026-11-${day}T${time}Z`)

test.each([
  ['UTC', '14:20', 27, '01:00', 27, '05:00'],
  ['UTC', '00:30', 26, '01:00', 26, '05:00'],
  ['UTC', '04:59', 26, '01:00', 26, '05:00'],
  ['UTC', '05:00', 27, '01:00', 27, '05:00'],
  ['Asia/Shanghai', '14:20', 26, '17:00', 26, '21:00'],
  ['Asia/Kathmandu', '23:14', 26, '19:15', 26, '23:15'],
  ['Asia/Kathmandu', '23:15', 27, '19:15', 27, '23:15'],
])('tonight in %s at %s is this night while it lasts, and else the next', (zone, now, day, from, endDay, to) => {
  expect(tonight(utc(26, now), zone)).toEqual({ from: utc(day, from), to: utc(endDay, to) })
})
