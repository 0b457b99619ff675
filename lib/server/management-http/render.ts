// The errors of the Management API: `{statusCode, error, message, errorCode}`. A 401 has no code, like the vendor's.
import type { ErrorRenderer } from '../../http/render-errors'
import { apiJson } from '../../http/render-errors'

export const managementJson: ErrorRenderer = (error, compat) => {
  const answer = apiJson(error, compat)
  const { errorCode, ...body } = JSON.parse(String(answer.body)) as Record<string, unknown>
  const shown =
    error.code === 'invalid_token' ? { ...body, attributes: { error: error.description } } : { ...body, errorCode }
  return { ...answer, body: JSON.stringify(shown) }
}
