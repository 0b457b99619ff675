// GET /avatar/{name}.svg: the drawn picture of a user who has none (lib/data/users/picture.ts). Answered without a statement, and immutable.

import { readDrawing } from '../../../data/users/picture'
import { defineEndpoint } from '../../../http/endpoint'
import { STRICT_HEADERS } from '../../../http/headers'
import { escapeHtml } from '../../../http/html'
import { respond, withHeaders } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { notFound } from '../../../kernel/errors'
import type { Runtime } from '../../runtime/runtime'

export const avatar = defineEndpoint<Runtime>({
  name: 'avatar',
  limit: 'metadata',
  shed: 'first',
  refused: null,
  cors: 'open',
  errors: oauthJson,
  methods: {
    GET({ params: { file = '' } }, { vault }) {
      const drawing = file.endsWith('.svg') ? readDrawing(file.slice(0, -'.svg'.length), vault) : null
      if (!drawing) throw notFound('Not found')
      return withHeaders(
        respond(200, 'image/svg+xml', draw(drawing.initials, drawing.background)),
        ...Object.entries(STRICT_HEADERS),
        ['cache-control', 'public, max-age=31536000, immutable'],
        ['cross-origin-resource-policy', 'cross-origin'],
      )
    },
  },
})

const FONTS = 'system-ui, sans-serif, Apple Color Emoji, Segoe UI Emoji, Noto Color Emoji'

/** Presentation attributes alone, because a page's policy may forbid styles. Without initials, a head and shoulders. */
const draw = (initials: string, background: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><rect width="96" height="96" fill="${background}"/>${
    initials === ''
      ? '<g fill="#fff"><circle cx="48" cy="38" r="16"/><path d="M16 88a32 28 0 0 1 64 0z"/></g>'
      : `<text x="48" y="50" fill="#fff" font-family="${FONTS}" font-size="40" font-weight="500" text-anchor="middle" dominant-baseline="central">${escapeHtml(initials)}</text>`
  }</svg>`
