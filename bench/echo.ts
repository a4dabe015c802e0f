/** A Fastify server that answers a JSON body with itself: what HTTP and JSON alone cost. */
import Fastify from 'fastify';

const app = Fastify();
app.post('/post-lead', (request) => request.body);
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
process.once('SIGTERM', () => {
  app.close().then(() => process.exit(0));
});
