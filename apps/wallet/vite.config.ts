import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev` finds the server; the built wallet is served by it. */
const server = process.env['ATOLL_WALLET_URL'] ?? 'http://localhost:4801'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single' }), react()],
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023' },
  server: { port: 4811, strictPort: false, proxy: { '/config.json': server } },
})
