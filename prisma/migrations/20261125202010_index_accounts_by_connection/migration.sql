-- A migration of its own, because it holds off changes of accounts while it builds the index.
CREATE INDEX "identity_connection_id_tenant_id_user_id_idx" ON "identity"("connection_id", "tenant_id", "user_id");
