// The endpoint that answers at an address of refusal-path.ts.

import type { Endpoint } from '../../http/endpoint'
import { isReason, refusing } from '../endpoints/refusals'
import type { Runtime } from '../runtime/runtime'
import { gateAt } from './gates'
import { readRefusalPath } from './refusal-path'

export function refusalAt(path: string): Endpoint<Runtime> | undefined {
  const { reason = '', refused = '' } = readRefusalPath(path) ?? {}
  return isReason(reason) ? refusing(reason, refused, gateAt(refused).methods) : undefined
}
