import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bundleBudget } from './build/bundle-budget.ts'
import { leanZod } from './build/lean-zod.ts'

const api = process.env.ATOLL_DEV_API ?? 'http://127.0.0.1:4800'

export default defineConfig({
  plugins: [
    tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single', semicolons: false }),
    react(),
    leanZod(),
    // design/console, "Light": JavaScript of a first load, gzipped, kB
    bundleBudget({ '/src/routes/login/index.tsx': 185, '/src/routes/_main/index.tsx': 245 }),
  ],
  build: { outDir: 'dist', modulePreload: { polyfill: false }, target: 'es2023', assetsInlineLimit: 0 },
  server: { proxy: { '/v1': api, '/v2': api, '/api': api, '/config.json': api } },
})
