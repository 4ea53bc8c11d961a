import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bundleBudget } from './build/bundle-budget.ts'
import { eagerCompile } from './build/eager-compile.ts'
import { earlyFetch } from './build/early-fetch.ts'
import { preloadFont } from './build/preload-font.ts'
import { staffApart } from './build/staff-apart.ts'

/** Modules that sign-in and home both draw with, so that neither page's file is loaded by the other. */
const sharedParts = [
  'app/main',
  'data/client',
  'signin/(LoginFrame|CodeOverlay)',
  'kit/(browser/use-(now|is-narrow)|format/stopwatch|page/use-page-title)',
  // Of `packages/ui`.
  '(brand|controls)/[\\w-]+',
  'feedback/Notice',
]

/**
 * The modules of the first load of sign-in and of home, in one file for both and one for each: sixty small modules cost
 * a slow processor more than their bytes do. Half of the first one is libraries, in a file of their own: a browser
 * compiles two files side by side, and that one stays in its cache when only the console changed.
 */
const firstLoads = [
  {
    name: 'libraries',
    test: /\/node_modules\/(react|react-dom|scheduler|zod|i18next)\/|\/zod-without-eval\.ts$/,
    priority: 4,
  },
  { name: 'start', test: new RegExp(`src/(${sharedParts.join('|')})\\.tsx?(\\?|$)`), priority: 3 },
  {
    name: 'home',
    test: /src\/(home\/HomePage|app\/shell\/(AppShell|AccountScope)|data\/home-queries|app\/routes\/_main(\/index)?)\.tsx?(\?|$)/,
    priority: 2,
  },
  { name: 'sign-in', test: /src\/(signin\/LoginPage|app\/routes\/login\/index)\.tsx(\?|$)/, priority: 1 },
]

/** Files that every page begins with. */
const atStart = /^assets\/(rolldown-runtime|libraries|start)-[\w-]+\.js$/

const api = process.env.ATOLL_DEV_API ?? 'http://127.0.0.1:4800'

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      routesDirectory: './src/app/routes',
      generatedRouteTree: './src/app/routeTree.gen.ts',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      semicolons: false,
    }),
    react(),
    eagerCompile(firstLoads.map(({ name }) => name)),
    preloadFont('inter-latin-opsz-normal.woff2'),
    earlyFetch({ signIn: 'sign-in', signedIn: 'home', signInPath: '/login' }),
    // design/console, "Light": JavaScript of a first load, gzipped, kB; of the charts, what they add
    staffApart(/\/console\/(src\/operator\/|operator\.json)/),
    bundleBudget(
      { '/src/app/routes/login/index.tsx': 185, '/src/app/routes/_main/index.tsx': 245 },
      { '/clusters/monitoring/MonitoringPanel.tsx': 25 },
    ),
  ],
  build: {
    outDir: 'dist',
    modulePreload: {
      polyfill: false,
      // Files that the page has begun with are there: asking for them again costs a slow processor more than a glance
      // at the list.
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === 'js' ? dependencies.filter((name) => !atStart.test(name)) : dependencies,
    },
    target: 'es2023',
    assetsInlineLimit: 0,
    // The budget above is the limit.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { output: { codeSplitting: { groups: firstLoads } } },
  },
  server: { proxy: { '/v1': api, '/v2': api, '/api': api, '/config.json': api } },
})
