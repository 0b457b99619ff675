-- CreateIndex
CREATE INDEX "token_family_client_id_id_idx" ON "token_family"("client_id", "id");
