// The peer's login page: the minimum of a real one, without a framework.

const page = (action) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign in</title></head><body>
<h1>Sign in</h1>
<form method="post" action="${action}">
<label>E-mail <input name="username" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Continue</button>
</form></body></html>`

async function readFormBody(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

function answerHtml(response, status, html) {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(html) }).end(html)
}

/** Handles /interaction/<uid>: GET shows the form, POST checks it and continues. */
export function createInteraction(provider, accounts) {
  async function show(request, response) {
    const { uid } = await provider.interactionDetails(request, response)
    answerHtml(response, 200, page(`/interaction/${uid}`))
  }

  async function submit(request, response) {
    const form = await readFormBody(request)
    const accountId = await accounts.authenticate(form.get('username'), form.get('password'))
    if (!accountId) return answerHtml(response, 401, page(request.url))
    await provider.interactionFinished(request, response, { login: { accountId } })
  }

  return async (request, response) => {
    try {
      await (request.method === 'POST' ? submit : show)(request, response)
    } catch (error) {
      console.error(error)
      answerHtml(response, 500, '<!doctype html><title>Error</title>')
    }
  }
}
