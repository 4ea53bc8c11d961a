import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const postgres = './packages/testkit/src/postgres-setup.ts'
const ignored = ['**/node_modules/**', '**/dist/**', '**/.tools/**', '**/.cache/**', '**/.data/**']

/**
 * `unit`: no database, no processes. `integration`: real PostgreSQL and real processes, named `*.integration.test.ts`.
 * `acceptance` drives a running stack from outside, HTTP and Chromium; `npm test` runs it after the others.
 */
export default defineConfig({
  test: {
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,apps,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...ignored, '**/*.integration.test.ts'],
          // Generous: a test that hangs is found either way, one that shares two cores with others is not stopped.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{packages,apps,scripts}/**/*.integration.test.ts'],
          exclude: ignored,
          globalSetup: [postgres],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'acceptance',
          include: ['acceptance/**/*.test.ts'],
          exclude: ignored,
          globalSetup: [postgres, './acceptance/stack/built-pages.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file runs its own servers, agents and browser: side by side they would only wait for one another.
          fileParallelism: false,
        },
      },
    ],
  },
})
