// A client that always exceeds its limit: the number of its accepted requests shows whether limits hold (threat-model.md RE8).
// Its refusals are expected, so its requests do not count for the availability.
import { performance } from 'node:perf_hooks'
import { formPost } from '../../lib/http.mjs'
import { DEVICE_ID } from '../tenant.mjs'
import { attempt, repeat } from './persist.mjs'

const PAUSE_MS = 100

export function greedy(setting) {
  const { side, promises } = setting
  const http = setting.sender('greedy', { counted: false, always: { 'x-forwarded-for': '192.0.2.1' } })
  return repeat(setting, 'greedy', PAUSE_MS, async () => {
    const answer = await attempt(() => http.send(formPost(side.paths.device, { client_id: DEVICE_ID })))
    if (answer?.status === 200) promises.admitted.push(performance.now())
    else if (answer?.status === 429) promises.refused.push(performance.now())
    else if (answer) throw new Error(`${answer.status} ${answer.text.slice(0, 200)}`)
  })
}
