// GET /api/v2/exports: the file of an export of users, by the link of its job. The link is the permission; it lasts minutes.
import { defineEndpoint } from '../../../http/endpoint'
import { queryParameters, respond, withHeaders } from '../../../http/message'
import { notFound } from '../../../kernel/errors'
import { readDownload } from '../../../management/jobs/download'
import { managementJson } from '../../management-http/render'
import type { Runtime } from '../../runtime/runtime'

export const exportFile = defineEndpoint<Runtime>({
  name: 'management.export',
  limit: 'pages',
  shed: 'first',
  refused: 'change_refused',
  cors: 'none',
  errors: managementJson,
  methods: {
    async GET(request, runtime) {
      const { file = '' } = queryParameters(request)
      const jobId = readDownload(file, runtime)
      const found = jobId === null ? null : await (await runtime.management()).exportedFile(jobId)
      if (!found) throw notFound('The link is not valid any more', { redirectable: false })
      return withHeaders(
        { ...respond(200, 'application/gzip', ''), stream: found.bytes },
        ['content-disposition', `attachment; filename="${found.name}"`],
        ['cache-control', 'no-store'],
      )
    },
  },
})
