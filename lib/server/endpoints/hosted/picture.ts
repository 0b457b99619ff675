// GET /picture/{name}.{jpg|png|webp}: the picture that a user uploaded (lib/identity/pictures). Its name is its content's, so it is immutable; a
// picture that its user replaced or removed is not answered any more.
import { defineEndpoint } from '../../../http/endpoint'
import { STRICT_HEADERS } from '../../../http/headers'
import { respond, withHeaders } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { PICTURE_TYPES } from '../../../identity/pictures/picture-file'
import { readPictureFile } from '../../../identity/pictures/user-pictures'
import { notFound } from '../../../kernel/errors'
import type { Runtime } from '../../runtime/runtime'

export const picture = defineEndpoint<Runtime>({
  name: 'picture',
  limit: 'metadata',
  shed: 'first',
  refused: null,
  cors: 'open',
  errors: oauthJson,
  methods: {
    async GET({ params: { file = '' } }, { userPictures }) {
      const named = readPictureFile(file)
      const bytes = named && (await userPictures.find(named.name, named.extension))
      if (!bytes) throw notFound('Not found')
      return withHeaders(
        respond(200, PICTURE_TYPES[named.extension], bytes),
        ...Object.entries(STRICT_HEADERS),
        ['cache-control', 'public, max-age=31536000, immutable'],
        ['content-disposition', `inline; filename="picture.${named.extension}"`],
        ['cross-origin-resource-policy', 'cross-origin'],
      )
    },
  },
})
