// The answer where the registry or the tenant could not be opened, usually because the database is unavailable. Endpoints handle
// their own errors.
import type { Endpoint } from '../../http/endpoint'
import { STRICT_HEADERS } from '../../http/headers'
import { plainPage } from '../../http/html'
import { type HttpResponse, html, json, withHeaders } from '../../http/message'
import type { Runtime } from '../runtime/runtime'

export const unavailable = (errors: Endpoint<Runtime>['errors']): HttpResponse =>
  withHeaders(
    errors === 'page'
      ? html(plainPage('We’re very busy right now', 'Wait a few seconds, then reload this page.'), 503)
      : json({ error: 'temporarily_unavailable', error_description: 'The service is temporarily unavailable' }, 503),
    ['retry-after', '2'],
    ['cache-control', 'no-store'],
    ...Object.entries(STRICT_HEADERS),
  )
