import { describe, expect, it } from 'vitest'
import { brokenRules, rules } from './boundaries.ts'
import { importedFrom, resolveImport } from './imports.ts'

/** For each rule an import that breaks it, and one that looks alike and is allowed. */
const examples: Record<string, { broken: [string, string]; allowed: [string, string] }> = {
  'packages-know-no-app': {
    broken: ['packages/testkit/src/x.ts', '../../../apps/server/src/main.ts'],
    allowed: ['packages/testkit/src/x.ts', '@atoll/did'],
  },
  'pure-packages': {
    broken: ['packages/did/src/jws.ts', 'node:crypto'],
    allowed: ['packages/did/src/jws.ts', 'jose'],
  },
  'ui-presents': {
    broken: ['packages/ui/src/layout/Link.tsx', '@tanstack/react-router'],
    allowed: ['packages/ui/src/layout/Link.tsx', '@mantine/core'],
  },
  'workspace-by-name': {
    broken: ['apps/server/src/modules/compute/x.ts', '../../../../agent/src/main.ts'],
    allowed: ['apps/server/src/modules/compute/x.ts', '@atoll/contract/wire'],
  },
  'module-face': {
    broken: ['apps/server/src/modules/clusters/views/cluster-service.ts', '../../accounts/account-store.ts'],
    allowed: ['apps/server/src/modules/clusters/views/cluster-service.ts', '../../accounts/index.ts'],
  },
  'platform-below': {
    broken: ['apps/server/src/platform/jobs/worker.ts', '../../http/refusal.ts'],
    allowed: ['apps/server/src/platform/jobs/worker.ts', '../db/index.ts'],
  },
  'services-know-no-http': {
    broken: ['apps/server/src/modules/accounts/sign-in-service.ts', '../../http/route.ts'],
    allowed: ['apps/server/src/modules/accounts/sign-in-service.ts', '../../platform/refusal.ts'],
  },
  'composition-builds': {
    broken: ['apps/server/src/http/app.ts', '../modules/accounts/index.ts'],
    allowed: ['apps/server/src/composition/compose.ts', '../modules/accounts/index.ts'],
  },
  'operator-face': {
    broken: ['apps/server/src/operator/admin/admin.ts', '../../modules/accounts/account-admin.ts'],
    allowed: ['apps/server/src/operator/admin/admin.ts', '../../modules/accounts/index.ts'],
  },
  'composition-last': {
    broken: ['apps/server/src/modules/edge/index.ts', '../../composition/compose.ts'],
    allowed: ['apps/server/src/start/roles.ts', '../composition/compose.ts'],
  },
  'vendors-in-drivers': {
    broken: ['apps/server/src/modules/payments/payment-service.ts', 'stripe'],
    allowed: ['apps/server/src/modules/payments/drivers/stripe/client.ts', 'stripe'],
  },
  'front-ends-use-packages': {
    broken: ['apps/console/src/app/main.tsx', 'node:fs'],
    allowed: ['apps/console/src/app/main.tsx', './router.ts'],
  },
  'own-texts': {
    broken: ['apps/wallet/src/i18n/text.ts', '@atoll/texts/console'],
    allowed: ['apps/wallet/src/i18n/text.ts', '@atoll/texts/wallet'],
  },
  'shell-knows-no-page': {
    broken: ['apps/console/src/app/shell/AppShell.tsx', '../../home/HomePage.tsx'],
    allowed: ['apps/console/src/app/shell/bars/Sidebar.tsx', '../../clusters/use-clusters.ts'],
  },
  'testkit-in-tests': {
    broken: ['apps/server/src/main.ts', '@atoll/testkit'],
    allowed: ['apps/server/src/main.integration.test.ts', '@atoll/testkit'],
  },
}

const broken = ([file, specifier]: [string, string]) =>
  brokenRules({ file, target: resolveImport(file, specifier) }).map((rule) => rule.name)

describe('the boundaries', () => {
  it('have an example each', () => {
    expect(Object.keys(examples).sort()).toEqual(rules.map((rule) => rule.name).sort())
  })

  it.each(Object.entries(examples))('%s catches its violation and nothing beside it', (name, example) => {
    expect(broken(example.broken)).toContain(name)
    expect(broken(example.allowed)).toEqual([])
  })
})

describe('reading imports', () => {
  it('finds every way to import, and not what a comment says', () => {
    const source = `
      import { a,
        b } from './two-lines.ts'
      import type { C } from '@atoll/contract/wire'
      import './effect.css'
      export { d } from "./re-export.ts"
      export * from './all.ts'
      const later = () => import('./later.ts')
      declare module '../../platform/db/index.ts' { interface Tables {} }
      // import { e } from './line-comment.ts'
      /* import { f } from './block-comment.ts' */
    `
    expect(importedFrom(source).sort()).toEqual([
      '../../platform/db/index.ts',
      './all.ts',
      './effect.css',
      './later.ts',
      './re-export.ts',
      './two-lines.ts',
      '@atoll/contract/wire',
    ])
  })
})
