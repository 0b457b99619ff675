// The instrumentation hook of Next: on a platform it opens and reads nothing.
import { afterEach, expect, it, vi } from 'vitest'
import { register } from '../../../instrumentation'

const opened = vi.fn()
vi.mock('./start', () => ({ openAtStart: opened }))

afterEach(() => {
  vi.unstubAllEnvs()
  opened.mockClear()
})

it('opens the runtime at the start of a separate server', async () => {
  vi.stubEnv('NEXT_RUNTIME', 'nodejs')
  await register()
  expect(opened).toHaveBeenCalledOnce()
})

it('leaves a function on Vercel as it is, for the one that only sets headers needs no runtime', async () => {
  vi.stubEnv('NEXT_RUNTIME', 'nodejs')
  vi.stubEnv('VERCEL', '1')
  await register()
  expect(opened).not.toHaveBeenCalled()
})
