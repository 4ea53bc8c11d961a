/**
 * Imported before anything that makes a schema. zod would try `new Function` at its first object; the page's policy
 * refuses that, and the browser reports every refusal.
 */
import { z } from 'zod'

z.config({ jitless: true })
