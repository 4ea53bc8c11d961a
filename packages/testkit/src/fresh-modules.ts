/**
 * Vitest setup file: our own modules are loaded again for each test file, so that none finds the state of another;
 * libraries stay loaded.
 */
import { vi } from 'vitest'

vi.resetModules()
