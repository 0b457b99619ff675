// What may enter at each path behind Next (lib/http/edge.ts). Next refuses methods that it does not know without our headers,
// so endpoints have a gate here too; the Node adapter lets them judge.

import type { Gate } from '../../http/edge'
import { METHODS } from '../../http/endpoint'
import { createRouter } from '../../http/route'
import { withoutSlash } from '../../http/target'
import { ENDPOINTS } from '../endpoints/index'
import { gateOfNext } from './page-paths'

const route = createRouter(ENDPOINTS)

const ANY: Gate = { methods: [...METHODS, 'OPTIONS'] }

export function gateAt(path: string): Gate {
  const { methods } = (route(path) ?? route(withoutSlash(path)))?.endpoint ?? {}
  return gateOfNext(path) ?? (methods ? { methods: [...METHODS.filter((method) => methods[method]), 'OPTIONS'] } : ANY)
}
