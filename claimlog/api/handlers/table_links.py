"""The address of a table as a QR code, for a second phone or for spectators."""

from __future__ import annotations

import io
from typing import Any

from litestar import Controller, Request, get
from litestar.di import NamedDependency

from claimlog.api.handlers.games import caller_of
from claimlog.api.handlers.tables import TableId
from claimlog.api.http.operation import operation
from claimlog.api.http.responses import Drawing
from claimlog.api.resources import Resources


class TableLinkController(Controller):
    """Links to tables."""

    path = "/tables"
    tags = ("tables",)

    @get("/{table_id:str}/qr", opt=operation(cache=False, at_table=True, errors=(404,)))
    async def table_qr(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        table_id: TableId,
    ) -> Drawing:
        """The address of a table's page as a QR code.

        Requested with the table's own token, it contains that token after a `#`, and whoever opens
        it may score; requested with any other token, or none, it is for watching.
        """
        import segno

        live = resources.tables.get(table_id)
        address = f"{str(request.base_url).rstrip('/')}/tables/{live.id}"
        if caller_of(request).table == live.id:
            token = request.headers["authorization"].partition(" ")[2].strip()
            address = f"{address}#token={token}"
        drawn = io.BytesIO()
        code = segno.make(address, error="m", micro=False)
        code.save(drawn, kind="svg", scale=4, border=4, light="white", xmldecl=False)
        return Drawing(drawn.getvalue())
