import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev` finds a personal server; the built pages are served by it. */
const agent = process.env['ATOLL_AGENT_URL'] ?? 'http://localhost:4803'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single' }), react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: {
      output: {
        // zod is told to do without eval before a file of schemas, which imports this one, makes any.
        codeSplitting: { groups: [{ name: 'zod', test: /\/node_modules\/zod\/|\/zod-without-eval\.ts$/ }] },
      },
    },
  },
  server: { port: 4813, strictPort: false, proxy: { '/api': agent } },
})
