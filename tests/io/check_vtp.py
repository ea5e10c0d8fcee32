"""check_vtp.py FILE REAL_BYTES: the part before the raw data is XML, with offsets that agree;
and VTK reads the file where it is installed."""
import sys
import xml.etree.ElementTree as ElementTree

with open(sys.argv[1], "rb") as file:
    data = file.read()
mark = b'<AppendedData encoding="raw">\n_'
at = data.index(mark) + len(mark)
root = ElementTree.fromstring(data[:at - 1] + b"</AppendedData></VTKFile>")
assert root.tag == "VTKFile" and root.get("header_type") == "UInt64"
sizes = {"Float32": 4, "Float64": 8, "UInt32": 4, "UInt64": 8, "Int64": 8}
rows = int(root.find("PolyData/Piece").get("NumberOfPoints"))
for array in root.find("PolyData/Piece").iter("DataArray"):
    start = at + int(array.get("offset"))
    size = int.from_bytes(data[start:start + 8], "little")
    assert size == rows * sizes[array.get("type")] * int(array.get("NumberOfComponents", "1"))

try:
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    print("skipped: VTK is not installed")
    sys.exit(0)
reader = vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
assert reader.GetOutput().GetNumberOfPoints() == rows
assert reader.GetOutput().GetNumberOfVerts() == rows
