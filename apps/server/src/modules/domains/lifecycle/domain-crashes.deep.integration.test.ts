import { test } from 'vitest'
import { crashRows, useCrashMatrix } from '../testing/crash-matrix.ts'

const { killAnywhere, cutAnywhere } = useCrashMatrix()

test.each(crashRows)('killed anywhere in $what, a domain ends where it would have', killAnywhere)

test.each(crashRows)('cut off from the database anywhere in $what, it ends where it would have', cutAnywhere)
