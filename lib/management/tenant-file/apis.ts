// The APIs that a file may name.
import { type Api, toApi } from '../../data/apis/api'
import { managementApi, managementAudience } from '../../data/apis/built-in'
import type { PlanContext } from './context'

/** A registered API, or the Management API of this tenant. */
export function findApi(identifier: string, { stored, baseUrl }: PlanContext): Api | undefined {
  if (identifier === managementAudience(baseUrl)) return managementApi(baseUrl)
  const row = stored.apis.find((api) => api.identifier === identifier)
  return row && toApi(row)
}
