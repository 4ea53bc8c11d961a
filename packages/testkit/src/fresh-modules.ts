/**
 * Vitest setup file: our own modules begin anew with each test file, so that none finds what another left; libraries
 * stay loaded.
 */
import { vi } from 'vitest'

vi.resetModules()
