const STEPS = [
  {
    name: 'The app asks',
    text: 'It sends the browser to the server, with the hash of a secret it keeps.',
    wire: 'GET /authorize',
  },
  { name: 'You sign in', text: 'On the server’s own page. The app is not there to watch.', wire: 'POST /u/submit' },
  {
    name: 'A code comes back',
    text: 'Good once, for a minute, and only together with the secret.',
    wire: '302 /demo?code=…',
  },
  { name: 'The app redeems it', text: 'Code and secret go in, tokens come out.', wire: 'POST /oauth/token' },
  {
    name: 'It knows you',
    text: 'One token says who you are, one opens the API, one gets new ones.',
    wire: 'GET /userinfo',
  },
]

/** The five steps of authorization code with PKCE, shown before they happen. */
export function HowItWorks() {
  return (
    <section className="demo-steps" aria-labelledby="steps">
      <h2 id="steps" className="demo-heading">
        What will happen
      </h2>
      <ol className="steps">
        {STEPS.map(({ name, text, wire }) => (
          <li key={name} className="step">
            <h3 className="step-name">{name}</h3>
            <p className="step-text">{text}</p>
            <code className="step-wire">{wire}</code>
          </li>
        ))}
      </ol>
    </section>
  )
}
