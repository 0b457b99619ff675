// Next compiles app/globals.css with the plugin that lib/server/node/css.mjs uses for the fast door.
export default { plugins: { '@tailwindcss/postcss': {} } }
